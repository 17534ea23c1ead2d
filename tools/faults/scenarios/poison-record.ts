import { targetKinds } from '../../../src/targets/target.js';
import { rejectedAt } from '../count/rejected.js';
import type { Scenario } from '../scenario.js';

/** Kinds of errors, and the text of the records that cause them. */
const poisons = [
  { kind: 'malformed', contains: 'poison that cannot be read' },
  { kind: 'too_large', contains: 'poison that is too large' },
] as const;

/** One record makes a vendor refuse the whole call without naming it. Only that record is rejected. */
export const poisonRecord: Scenario = {
  name: 'poison-record',
  title: 'A poison record in the middle of a batch (400 and 413)',
  rejects: poisons.length,
  async run(environment) {
    const { sandbox } = environment;
    for (const poison of poisons) await sandbox.script(poison);
    // Slow calls let a large batch gather, with the poison record in the middle.
    await sandbox.script({ kind: 'slow', delayMs: environment.pick(500, 250) });
    await environment.begin(targetKinds, environment.pick(80, 60));
    const poisoned: string[] = [];
    for (const { contains } of poisons) {
      await environment.waitForDelivery();
      const { id } = await environment.api.create('/ip_policies', { description: contains });
      poisoned.push(id);
      await environment.wait(environment.pick(6, 3));
    }
    const count = await environment.verify(poisons.length);
    const [batch] = await environment.query<{ least: number; most: number }>(
      `select min(records)::int as least, max(records)::int as most from delivery_attempts where rejected > 0`,
    );
    environment.expect((batch?.most ?? 0) > 1, 'a batch held a poison record and others');
    const events = await environment.query<{ id: string }>(
      `select id from events where resource_id in (${poisoned.map((id) => `'${id}'`).join(', ')})`,
    );
    const poison = new Set(events.map(({ id }) => id));
    for (const { id, kind } of environment.destinations) {
      const rejected = await rejectedAt(environment.api, id);
      const exactly = rejected.length === poison.size && rejected.every(({ eventId }) => poison.has(eventId));
      environment.expect(exactly, `${kind} shows the poison records, and only them, as rejected`);
    }
    environment.note(`batches with a poison record held ${batch?.least ?? 0} to ${batch?.most ?? 0} records`);
    return count;
  },
};
