import { setTimeout as sleep } from 'node:timers/promises';
import { targetKinds } from '../../../src/targets/target.js';
import { expectStatus } from '../environment/destination-status.js';
import type { ScenarioEnvironment } from '../environment/scenario-environment.js';
import { warmUp } from '../environment/warm-up.js';
import type { Scenario } from '../scenario.js';

/** Least time without a listener: twice the longest backoff in a scenario. */
const LEAST_OUTAGE_MS = 10_000;

/** Limit until the events wait: several times what the load needs. */
const WAITING_WITHIN_MS = 5 * 60_000;

/** All five targets are down for a minute: first they return 503, then they refuse connections. */
export const targetsDown: Scenario = {
  name: 'targets-down',
  title: 'The targets are down for a minute (503, then connection refused) with 20,000 events waiting',
  async run(environment) {
    const { sandbox } = environment;
    const events = environment.pick(20_000, 1_000);
    const downMs = environment.pick(60_000, 10_000);
    const load = await environment.begin(targetKinds, environment.pick(400, 100), 32);
    await warmUp(environment);

    const begun = performance.now();
    await sandbox.script({ kind: 'unavailable' });
    await environment.wait(downMs / 2_000);
    await expectStatus(environment, 'retrying', 10);
    const deadline = performance.now() + WAITING_WITHIN_MS;
    while ((await leastWaiting(environment)) < events && performance.now() < deadline) {
      environment.log(`${await leastWaiting(environment)} events wait for each target: ${load.summary}`);
      await sleep(2_000);
    }
    await load.stop();
    // The 503s continue until the backlog is counted, so that no event is delivered before.
    const left = downMs - (performance.now() - begun);
    await sandbox.stopListening(Math.max(left, LEAST_OUTAGE_MS));
    const waiting = await leastWaiting(environment);
    environment.expect(waiting >= events, `${events} events wait for each target at the end of the outage: ${waiting}`);
    const refused = await refusedAttempts(environment);
    for (const { kind, attempts } of refused)
      environment.expect(attempts > 0, `attempts at ${kind} were refused (ECONNREFUSED)`);
    await sandbox.clearFaults();
    const down = ((performance.now() - begun) / 1_000).toFixed(0);

    const back = performance.now();
    const count = await environment.verify();
    await expectStatus(environment, 'healthy', 5);
    environment.note(
      `attempts refused: ${refused.map(({ kind, attempts }) => `${kind} ${attempts}`).join(', ')}; down for ${down} s, at least ${waiting} events waiting for each target; delivered and counted ${((performance.now() - back) / 1_000).toFixed(0)} s after the outage`,
    );
    return count;
  },
};

/** Returns the smallest number of pending events of a destination. */
async function leastWaiting(environment: ScenarioEnvironment): Promise<number> {
  const [row] = await environment.query<{ least: number }>(
    `select coalesce(min(pending), 0)::int as least from (
       select count(d.id) as pending from delivery_lanes l
       left join deliveries d on d.destination_id = l.destination_id and d.state = 'pending'
       group by l.destination_id) as waiting`,
  );
  return row?.least ?? 0;
}

/** Counts the refused attempts of each target. */
function refusedAttempts(
  environment: ScenarioEnvironment,
): Promise<readonly { readonly kind: string; readonly attempts: number }[]> {
  return environment.query<{ kind: string; attempts: number }>(
    `select l.target_kind as kind, count(a.id)::int as attempts from delivery_lanes l
     left join delivery_attempts a on a.destination_id = l.destination_id and a.code = 'ECONNREFUSED'
     group by l.target_kind order by 1`,
  );
}
