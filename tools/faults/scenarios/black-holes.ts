import { setTimeout as sleep } from 'node:timers/promises';
import { targetKinds } from '../../../src/targets/target.js';
import { percentile } from '../../harness/statistics.js';
import { arrivalsOf, latencies, measured } from '../count/latencies.js';
import { isFor, type FaultDestination } from '../environment/destination.js';
import type { ScenarioEnvironment } from '../environment/scenario-environment.js';
import { warmUp } from '../environment/warm-up.js';
import type { Scenario } from '../scenario.js';

/** Limit of the p99 of healthy destinations, as a multiple of the p99 without black holes. */
const MOST_RATIO = 2;

/** A quarter of 200 destinations accept calls and never respond. The latency of the others must hardly change. */
export const blackHoles: Scenario = {
  name: 'black-holes',
  title: '200 destinations, 50 of them black holes: p99 of the healthy ones',
  async run(environment) {
    const { processes, sandbox } = environment;
    const count = environment.pick(200, 40);
    await processes.start('api');
    await processes.start('worker', { settings: { DELIVERY_SEND_TIMEOUT_MS: '10000' } });
    for (let number = 0; number < count; number += 1)
      await environment.createDestination(targetKinds[number % targetKinds.length] ?? 'data_stream');
    await environment.subscribe();
    const holes = environment.destinations.filter((_, index) => Math.floor(index / targetKinds.length) % 4 === 3);
    const healthy = environment.destinations.filter((destination) => !holes.includes(destination));
    await environment.startLoad(2, 4);
    await warmUp(environment);
    await environment.wait(environment.pick(5, 3));

    const without = await measured(environment, environment.pick(20, 6));
    for (const hole of holes) await sandbox.script({ kind: 'timeout', ...addressOf(hole) });
    const opened = Date.now();
    await waitForHeldCalls(environment, holes);
    const held = await measured(environment, environment.pick(25, 8));
    await environment.load.stop();
    await sandbox.clearFaults();
    const proof = await environment.verify();

    const received = await sandbox.allReceived();
    const own = received.filter((event) => healthy.some((one) => isFor(one, event)));
    const lost = received.filter((event) => holes.some((one) => isFor(one, event)));
    const escaped = arrivalsOf(lost, held).filter(({ receivedAtMs }) => receivedAtMs < held.until);
    environment.expect(escaped.length === 0, `no event arrives at a black hole: ${escaped.length} arrivals`);
    const before = latencies(own, without);
    const after = latencies(own, held);
    const filling = latencies(own, { from: opened, until: held.from });
    const ratio = percentile(after, 0.99) / percentile(before, 0.99);
    environment.note(
      `${healthy.length} healthy, ${holes.length} black holes; p99 from change to arrival ${percentile(before, 0.99)} ms without (${before.length} arrivals), ` +
        `${percentile(after, 0.99)} ms with them (${after.length}): ratio ${ratio.toFixed(2)}; ` +
        `p50 ${percentile(before, 0.5)} and ${percentile(after, 0.5)} ms; ` +
        `p99 during their first calls ${percentile(filling, 0.99)} ms (${filling.length})`,
    );
    if (!environment.short)
      environment.expect(ratio <= MOST_RATIO, `p99 stays within ${MOST_RATIO} times: ${ratio.toFixed(2)}`);
    return proof;
  },
};

/** Limit until every black hole holds a call. */
const TIMEOUT_MS = 120_000;

/**
 * Waits until every black hole holds a call or has let one time out.
 * @throws Error after two minutes
 */
async function waitForHeldCalls(environment: ScenarioEnvironment, holes: readonly FaultDestination[]): Promise<void> {
  const ids = holes.map(({ id }) => `'${id}'`).join(', ');
  const deadline = Date.now() + TIMEOUT_MS;
  for (let held = 0; held < holes.length; await sleep(250)) {
    if (Date.now() > deadline)
      throw new Error(`Only ${held} of ${holes.length} black holes held a call in two minutes.`);
    held = await environment.count(
      `delivery_lanes where destination_id in (${ids}) and (attempt_until > now() or failures > 0)`,
    );
    environment.log(`${held} of ${holes.length} black holes hold a call`);
  }
}

/** Returns the filter of a fault for one destination. The log stream of a log group is named after the destination. */
function addressOf({
  id,
  kind,
  address,
}: FaultDestination): Pick<Parameters<ScenarioEnvironment['sandbox']['script']>[0], 'target' | 'address'> {
  return { target: kind, address: kind === 'log_group' ? `${address}waybill/${id}` : address };
}
