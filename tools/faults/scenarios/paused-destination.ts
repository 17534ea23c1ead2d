import type { TargetKind } from '../../../src/targets/target.js';
import { until } from '../../harness/until.js';
import { expectAllAccepted } from '../environment/api-probe.js';
import { expectStatus } from '../environment/destination-status.js';
import type { ScenarioEnvironment } from '../environment/scenario-environment.js';
import { warmUp } from '../environment/warm-up.js';
import type { Scenario } from '../scenario.js';

const KINDS: readonly TargetKind[] = ['data_stream', 'log_group', 'monitoring'];

/** How long the destinations fail after the pause, in seconds: several attempts, and an expiry of what waits. */
const FAILING_SECONDS = 5;

/** Pauses every destination under load. During the pause, processes are killed, jobs are lost, and a week passes. */
export const pausedDestination: Scenario = {
  name: 'paused-destination',
  title:
    'destinations are paused: workers die, jobs are lost and a week passes; then they are paused no more, and fail',
  short: ['redis'],
  async run(environment) {
    const { processes, sandbox, redis } = environment;
    await environment.begin(KINDS, environment.pick(100, 40));
    await warmUp(environment);
    const pauses = environment.pick(3, 1);
    let waited = 0;
    let calledMs = 0;
    for (let round = 1; round <= pauses; round += 1) {
      await change(environment, { reason: `round ${round} of the scenario` });
      calledMs = Math.max(calledMs, await callsEnded(environment));
      const stored = await environment.arrived();
      await processes.killAndStart('worker');
      await redis?.client.flushall();
      await passWeek(environment);
      await environment.wait(environment.pick(10, 4));
      await expectStatus(environment, 'paused', 5);
      const more = (await environment.arrived()) - stored;
      environment.expect(more === 0, `nothing arrives in pause ${round}: ${more} events`);
      const waiting = await environment.count(`deliveries where state = 'pending'`);
      environment.expect(waiting > 0, `events wait in pause ${round}: ${waiting}`);
      waited += waiting;

      // The targets still fail: whatever is overdue would expire now.
      await sandbox.script({ kind: 'unavailable' });
      await change(environment, null);
      await expectStatus(environment, 'retrying', 300);
      await environment.wait(FAILING_SECONDS);
      await sandbox.clearFaults();
      await environment.waitForDelivery();
    }
    expectAllAccepted(environment);
    const count = await environment.verify();
    const expired = await environment.count(`all_deliveries where state = 'expired'`);
    environment.expect(expired === 0, `no event expires after a pause of a week: ${expired}`);
    environment.note(
      `${pauses} pauses of a week; ${waited} deliveries waited; the last call ended ${Math.round(calledMs)} ms after a pause`,
    );
    return count;
  },
};

/** Pauses every destination, or ends the pause of each. */
async function change(environment: ScenarioEnvironment, paused: { readonly reason: string } | null): Promise<void> {
  await Promise.all(
    environment.destinations.map(({ id }) => environment.api.send('PATCH', `/event_destinations/${id}`, { paused })),
  );
}

/** Waits until no attempt is under way. Returns how long that took, in milliseconds. */
async function callsEnded(environment: ScenarioEnvironment): Promise<number> {
  const begun = performance.now();
  const underWay = 'delivery_lanes where attempt_token is not null';
  await until(async () => (await environment.count(underWay)) === 0, 'no attempt is under way');
  return performance.now() - begun;
}

/** Lets a week pass for the lanes and for what waits in them: longer than the deadline. */
async function passWeek(environment: ScenarioEnvironment): Promise<void> {
  await environment.query(
    `with lanes as (
       update delivery_lanes l
       set paused_at = paused_at - interval '7 days',
           pauses = (select range_agg(tstzrange(lower(pause) - interval '7 days', upper(pause) - interval '7 days'))
                     from unnest(l.pauses) as pause)
     )
     update deliveries
     set created_at = created_at - interval '7 days', redelivered_at = redelivered_at - interval '7 days'
     where state = 'pending'`,
  );
}
