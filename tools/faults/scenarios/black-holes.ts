import { setTimeout as sleep } from 'node:timers/promises';
import { targetKinds } from '../../../src/targets/target.js';
import { percentile } from '../../bench/statistics.js';
import type { ReceivedEvent } from '../../sandbox/sandbox-contract.js';
import { isFor, type FaultDestination } from '../environment/destination.js';
import type { FaultStage } from '../environment/fault-stage.js';
import { untilWarm } from '../environment/warm-up.js';
import { bothBackends, type Scenario } from '../scenario.js';

/** The most that the healthy ones' p99 may grow to, as a multiple of what it is without the black holes. */
const MOST_RATIO = 2;

/** Of 200 destinations, every fourth accepts calls and never answers. The others must hardly notice. */
export const blackHoles: Scenario = {
  name: 'black-holes',
  title: '200 destinations, 50 of them black holes: p99 of the healthy ones',
  backends: bothBackends,
  short: [],
  async run(stage) {
    const { crew, sandbox } = stage;
    const count = stage.pick(200, 40);
    await crew.start('api');
    await crew.start('worker', { settings: { DELIVERY_SEND_TIMEOUT_MS: '10000' } });
    for (let number = 0; number < count; number += 1)
      await stage.createDestination(targetKinds[number % targetKinds.length] ?? 'data_stream');
    await stage.subscribe();
    const holes = stage.destinations.filter((_, index) => Math.floor(index / targetKinds.length) % 4 === 3);
    const healthy = stage.destinations.filter((destination) => !holes.includes(destination));
    await stage.startLoad(2, 4);
    await untilWarm(stage);
    await stage.pass(stage.pick(5, 3));

    const without = await measured(stage, stage.pick(20, 6));
    for (const hole of holes) await sandbox.script({ kind: 'timeout', ...addressOf(hole) });
    const opened = Date.now();
    await untilHeld(stage, holes);
    const held = await measured(stage, stage.pick(25, 8));
    await stage.load.stop();
    await sandbox.clearFaults();
    const proof = await stage.prove();

    const received = await sandbox.allReceived();
    const own = received.filter((event) => healthy.some((one) => isFor(one, event)));
    const swallowed = received.filter((event) => holes.some((one) => isFor(one, event)));
    const escaped = arrivalsOf(swallowed, held).filter(({ receivedAtMs }) => receivedAtMs < held.until);
    stage.expect(escaped.length === 0, `nothing leaves a black hole: ${escaped.length} arrivals`);
    const before = latencies(own, without);
    const after = latencies(own, held);
    const filling = latencies(own, { from: opened, until: held.from });
    const ratio = percentile(after, 0.99) / percentile(before, 0.99);
    stage.note(
      `${healthy.length} healthy, ${holes.length} black holes; p99 from change to arrival ${percentile(before, 0.99)} ms without (${before.length} arrivals), ` +
        `${percentile(after, 0.99)} ms with them (${after.length}): ratio ${ratio.toFixed(2)}; ` +
        `p50 ${percentile(before, 0.5)} and ${percentile(after, 0.5)} ms; ` +
        `while the holes took their first calls p99 ${percentile(filling, 0.99)} ms (${filling.length})`,
    );
    if (!stage.short)
      stage.expect(ratio <= MOST_RATIO, `p99 stays within ${MOST_RATIO} times: ${ratio.toFixed(2)}`);
    return proof;
  },
};

interface Window {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
}

async function measured(stage: FaultStage, seconds: number): Promise<Window> {
  const from = Date.now();
  await stage.pass(seconds);
  return { from, until: Date.now() };
}

/** How long the holes may take until each of them holds a call, in milliseconds. */
const PATIENCE_MS = 120_000;

/**
 * Waits until every hole holds a call that it does not answer, or has let one time out.
 * @throws Error when one has held none after two minutes
 */
async function untilHeld(stage: FaultStage, holes: readonly FaultDestination[]): Promise<void> {
  const ids = holes.map(({ id }) => `'${id}'`).join(', ');
  const deadline = Date.now() + PATIENCE_MS;
  for (let held = 0; held < holes.length; await sleep(250)) {
    if (Date.now() > deadline)
      throw new Error(`Only ${held} of ${holes.length} black holes held a call in two minutes.`);
    const [row] = await stage.query<{ held: number }>(
      `select count(*)::int as held from delivery_lanes
       where destination_id in (${ids}) and (attempt_until > now() or failures > 0)`,
    );
    held = row?.held ?? 0;
    stage.say(`${held} of ${holes.length} black holes hold a call`);
  }
}

/** When what changed within a window arrived, then or later; both in milliseconds since the epoch. */
function arrivalsOf(
  received: readonly ReceivedEvent[],
  { from, until }: Window,
): readonly { readonly changedAt: number; readonly receivedAtMs: number }[] {
  return received
    .map(({ body, receivedAtMs }) => {
      const { event_timestamp: timestamp } = JSON.parse(body) as { event_timestamp: string };
      return { changedAt: Date.parse(timestamp), receivedAtMs };
    })
    .filter(({ changedAt }) => changedAt >= from && changedAt < until);
}

/** From change to arrival of what changed within a window, in milliseconds. */
function latencies(received: readonly ReceivedEvent[], window: Window): readonly number[] {
  return arrivalsOf(received, window).map(({ changedAt, receivedAtMs }) => receivedAtMs - changedAt);
}

/** What picks the calls to a destination: a log group's stream is named after the destination. */
function addressOf({
  id,
  kind,
  address,
}: FaultDestination): Pick<Parameters<FaultStage['sandbox']['script']>[0], 'target' | 'address'> {
  return { target: kind, address: kind === 'log_group' ? `${address}waybill/${id}` : address };
}
