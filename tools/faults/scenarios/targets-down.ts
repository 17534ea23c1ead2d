import { setTimeout as sleep } from 'node:timers/promises';
import { targetKinds } from '../../../src/targets/target.js';
import { expectStatus } from '../environment/destination-status.js';
import type { FaultStage } from '../environment/fault-stage.js';
import { untilWarm } from '../environment/warm-up.js';
import { bothBackends, type Scenario } from '../scenario.js';

/** Shortest time for which nobody listens, in milliseconds: twice the longest wait between two attempts in a scenario. */
const LEAST_AWAY_MS = 10_000;

/** All five targets are down for a minute: first they answer 503, then nobody listens. */
export const targetsDown: Scenario = {
  name: 'targets-down',
  title: 'The targets are down for a minute (503, then connection refused) with 20,000 events waiting',
  backends: bothBackends,
  short: [],
  async run(stage) {
    const { crew, sandbox } = stage;
    const events = stage.pick(20_000, 1_000);
    const downMs = stage.pick(60_000, 10_000);
    await crew.start('api');
    await crew.start('worker');
    await stage.subscribe(targetKinds);
    const load = await stage.startLoad(stage.pick(400, 100), 32);
    await untilWarm(stage);

    const begun = performance.now();
    await sandbox.script({ kind: 'unavailable' });
    await stage.pass(downMs / 2_000);
    await expectStatus(stage, 'retrying', 10);
    while ((await leastWaiting(stage)) < events) {
      stage.say(`${await leastWaiting(stage)} events wait for each target: ${load.summary}`);
      await sleep(2_000);
    }
    await load.stop();
    // The 503s go on until it is back and its backlog is counted: nothing can slip out before or after.
    const left = downMs - (performance.now() - begun);
    await sandbox.goAway(Math.max(left, LEAST_AWAY_MS));
    const waiting = await leastWaiting(stage);
    stage.expect(waiting >= events, `${events} events wait for each target until it is back: ${waiting}`);
    const refused = await refusedAttempts(stage);
    for (const { kind, attempts } of refused)
      stage.expect(attempts > 0, `attempts at ${kind} found nobody listening (ECONNREFUSED)`);
    await sandbox.clearFaults();
    const down = ((performance.now() - begun) / 1_000).toFixed(0);

    const back = performance.now();
    const count = await stage.prove();
    await expectStatus(stage, 'healthy', 5);
    stage.note(
      `attempts refused: ${refused.map(({ kind, attempts }) => `${kind} ${attempts}`).join(', ')}; down for ${down} s, at least ${waiting} events waiting for each target; delivered and counted ${((performance.now() - back) / 1_000).toFixed(0)} s after they were back`,
    );
    return count;
  },
};

/** How many events wait for the destination that the fewest wait for; 0 where nothing waits for one. */
async function leastWaiting(stage: FaultStage): Promise<number> {
  const [row] = await stage.query<{ least: number }>(
    `select coalesce(min(pending), 0)::int as least from (
       select count(d.id) as pending from delivery_lanes l
       left join deliveries d on d.destination_id = l.destination_id and d.state = 'pending'
       group by l.destination_id) as waiting`,
  );
  return row?.least ?? 0;
}

/** For each target, how many attempts failed because nobody listened. */
function refusedAttempts(
  stage: FaultStage,
): Promise<readonly { readonly kind: string; readonly attempts: number }[]> {
  return stage.query<{ kind: string; attempts: number }>(
    `select l.target_kind as kind, count(a.id)::int as attempts from delivery_lanes l
     left join delivery_attempts a on a.destination_id = l.destination_id and a.code = 'ECONNREFUSED'
     group by l.target_kind order by 1`,
  );
}
