import { targetKinds } from '../../../src/targets/target.js';
import { rejectedAt } from '../count/rejected.js';
import { bothBackends, type Scenario } from '../scenario.js';

/** What is in the records that the vendors refuse, and how they refuse each. */
const poisons = [
  { kind: 'malformed', contains: 'poison that cannot be read' },
  { kind: 'too_large', contains: 'poison that is too large' },
] as const;

/** One record makes a vendor refuse the whole call, and the vendor does not say which: that one alone is given up, in words. */
export const poisonRecord: Scenario = {
  name: 'poison-record',
  title: 'A poison record in the middle of a batch (400 and 413)',
  backends: bothBackends,
  short: [],
  rejects: poisons.length,
  async run(stage) {
    const { crew, sandbox } = stage;
    await crew.start('api');
    await crew.start('worker');
    await stage.subscribe(targetKinds);
    for (const poison of poisons) await sandbox.script(poison);
    // Slow calls: meanwhile a batch of many gathers, with the poison in the middle of it.
    await sandbox.script({ kind: 'slow', delayMs: stage.pick(500, 250) });
    await stage.startLoad(stage.pick(80, 60));
    const poisoned: string[] = [];
    for (const { contains } of poisons) {
      await stage.untilDelivering();
      const { id } = await stage.api.create('/ip_policies', { description: contains });
      poisoned.push(id);
      await stage.pass(stage.pick(6, 3));
    }
    const count = await stage.prove(stage.destinations, poisons.length);
    const [batch] = await stage.query<{ least: number; most: number }>(
      `select min(records)::int as least, max(records)::int as most from delivery_attempts where rejected > 0`,
    );
    stage.expect((batch?.most ?? 0) > 1, 'a poison record had company in its batch');
    const events = await stage.query<{ id: string }>(
      `select id from events where resource_id in (${poisoned.map((id) => `'${id}'`).join(', ')})`,
    );
    const poison = new Set(events.map(({ id }) => id));
    for (const { id, kind } of stage.destinations) {
      const rejected = await rejectedAt(stage.api, id);
      const exactly = rejected.length === poison.size && rejected.every(({ eventId }) => poison.has(eventId));
      stage.expect(exactly, `${kind} shows the poison records as rejected, and no other`);
    }
    stage.note(`batches with a poison record held ${batch?.least ?? 0} to ${batch?.most ?? 0} records`);
    return count;
  },
};
