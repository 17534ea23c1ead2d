import { setTimeout as sleep } from 'node:timers/promises';
import { targetKinds } from '../../../src/targets/target.js';
import { expectStatus } from '../ground/destination-status.js';
import type { FaultStage } from '../ground/fault-stage.js';
import { untilWarm } from '../ground/warm.js';
import { bothBackends, type Scenario } from '../scenario.js';

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
    const waiting = await leastWaiting(stage);
    await sandbox.clearFaults();
    const left = downMs - (performance.now() - begun);
    await sandbox.goAway(Math.max(left, downMs / 4));
    const down = ((performance.now() - begun) / 1_000).toFixed(0);

    const back = performance.now();
    const count = await stage.prove();
    await expectStatus(stage, 'healthy', 5);
    stage.note(
      `down for ${down} s, at least ${waiting} events waiting for each target; delivered and counted ${((performance.now() - back) / 1_000).toFixed(0)} s after they were back`,
    );
    return count;
  },
};

/** How many events wait for the destination that the fewest wait for. */
async function leastWaiting(stage: FaultStage): Promise<number> {
  const [row] = await stage.query<{ least: number }>(
    `select coalesce(min(pending), 0)::int as least from (
       select count(*) as pending from deliveries where state = 'pending' group by destination_id) as waiting`,
  );
  return row?.least ?? 0;
}
