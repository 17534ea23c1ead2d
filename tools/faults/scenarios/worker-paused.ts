import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ReceivedEvent } from '@waybill/sandbox';
import type { TargetKind } from '../../../src/targets/target.js';
import { until } from '../../harness/until.js';
import type { ScenarioEnvironment } from '../environment/scenario-environment.js';
import type { Scenario } from '../scenario.js';

const stopAtResponse = fileURLToPath(new URL('../processes/stop-at-response.js', import.meta.url));

/** Two events of a resource need two calls to this target: an attempt makes many calls, one after the other. */
const KIND: TargetKind = 'data_stream';
/**
 * With more, the worker could stop while it signs the request of another lane, after the check of the lease. That call
 * is among the repeats that remain (docs/architecture.md).
 */
const DESTINATIONS = 1;
/** Resources that most changes concern. */
const HOT_RESOURCES = 1;
/** Duration of a call, in milliseconds: an attempt takes seconds, and the worker stops in the middle of one. */
const CALL_MS = 50;

/** How long the other worker may take to send the batches: a lock of BullMQ, a turn of the sweeper, and the calls. */
const TAKEOVER_SECONDS = 180;
/** How long a worker that continues is watched. */
const WATCHED_SECONDS = 10;

/** An attempt begins no call after half of this time. It is longer than a pause: only the lease ends the attempt. */
const settings = { DELIVERY_SEND_TIMEOUT_MS: '300000' };

/**
 * Stops a worker between two calls of an attempt, until the other worker has sent its batches. When the worker
 * continues, it handles a response before any timer fires: the call that follows must not begin.
 * After a pause of more than 75 seconds, such a call would fail: the sandbox has closed the connection.
 */
export const workerPaused: Scenario = {
  name: 'worker-paused',
  title: 'a worker stands still between two calls, until another worker has sent its batches, and continues',
  short: ['redis'],
  async run(environment) {
    const { processes, sandbox } = environment;
    await processes.start('api');
    for (let number = 0; number < DESTINATIONS; number += 1) await environment.createDestination(KIND);
    await environment.subscribe();
    await environment.startLoad(environment.pick(15, 10), HOT_RESOURCES);
    const pauses = environment.pick(3, 1);
    let takenOver = 0;
    let repeats = 0;
    for (let pause = 1; pause <= pauses; pause += 1) {
      // Without a worker, events wait: the batches are large.
      await environment.wait(8);
      await sandbox.script({ kind: 'slow', delayMs: CALL_MS });
      await processes.start('worker', { settings, nodeOptions: [`--import=${stopAtResponse}`] });
      await largeBatches(environment);
      processes.signal('worker', 'SIGUSR2');
      await processes.stopped('worker');
      await sandbox.clearFaults();
      const batches = await batchesUnderWay(environment);
      await processes.start('worker-2', { settings });
      const taken = await takenOverOf(environment, batches);
      takenOver += taken;
      environment.log(`pause ${pause} of ${pauses}: ${taken} of ${batches.size} batches taken over`);
      const resumedAt = Date.now();
      processes.resume('worker');
      await environment.wait(WATCHED_SECONDS);
      repeats += repeatedSince(await sandbox.allReceived(), resumedAt);
      if (pause === pauses) break;
      await processes.stop('worker');
      await processes.stop('worker-2');
    }
    const count = await environment.verify();
    environment.expect(takenOver > 0, 'the other worker took over batches of the paused one');
    environment.expect(repeats === 0, `the paused worker repeated no event when it continued: ${repeats} repeats`);
    environment.note(`${pauses} pauses; ${takenOver} batches taken over; ${repeats} events repeated after a pause`);
    return count;
  },
};

/** Waits until each lane sends a batch of many calls. Its first batch was claimed with the first event that waited. */
async function largeBatches(environment: ScenarioEnvironment): Promise<void> {
  const sending = 'delivery_lanes where attempt_token is not null and cardinality(batch_delivery_ids) >= 20';
  await until(async () => (await environment.count(sending)) === DESTINATIONS, 'the lanes send large batches');
}

/** Waits until the other worker has finished these batches. Returns how many it has finished. */
async function takenOverOf(environment: ScenarioEnvironment, batches: ReadonlyMap<string, string>): Promise<number> {
  const deadline = performance.now() + TAKEOVER_SECONDS * 1_000;
  for (;;) {
    const present = await batchesUnderWay(environment);
    const taken = Array.from(batches).filter(([lane, batch]) => present.get(lane) !== batch).length;
    if (taken === batches.size || performance.now() > deadline) return taken;
    await sleep(500);
  }
}

/** Returns how many events arrived since a time at a target that had them before. */
function repeatedSince(received: readonly ReceivedEvent[], sinceMs: number): number {
  const known = new Set<string>();
  let repeats = 0;
  for (const { address, body, receivedAtMs } of received) {
    const { sequence } = JSON.parse(body) as { sequence: number };
    const key = `${address} ${sequence}`;
    if (known.has(key) && receivedAtMs >= sinceMs) repeats += 1;
    known.add(key);
  }
  return repeats;
}

/** The batch of each lane with an attempt, also with one whose lease has ended. */
async function batchesUnderWay(environment: ScenarioEnvironment): Promise<ReadonlyMap<string, string>> {
  const rows = await environment.query<{ lane: string; batch: string }>(
    'select destination_id as lane, batch_id as batch from delivery_lanes where attempt_token is not null',
  );
  return new Map(rows.map(({ lane, batch }) => [lane, batch]));
}
