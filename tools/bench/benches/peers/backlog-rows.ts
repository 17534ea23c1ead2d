import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext } from '../../bench.js';
import { CpuWatch } from '../../cpu/cpu-watch.js';
import { countArrived, verifyArrival, waitForArrival } from '../../environment/arrival.js';
import { deliveryCounts } from '../../result.js';
import { withContender, type Contender, type ContenderName } from './contender.js';
import type { Measured } from './measured.js';

const BACKLOG = 10_000;
const WARM_UP_EVENTS = 1_000;
const KILLED_EVENTS = 4_000;
/** BullMQ's default lock and its check last 30 seconds each; the rest is reserve. */
const STALLED_MS = 120_000;
/** Calls that the vendor throttles, among the first 200 or so. */
const THROTTLED_CALLS = 20;
const CHANGES_OF_ONE_RESOURCE = 1_000;

/** A row of the comparison: measures one round of one contender. */
export type Row = (context: BenchContext, name: ContenderName) => AsyncGenerator<Measured>;

async function warmUp(contender: Contender): Promise<void> {
  await contender.fill(WARM_UP_EVENTS);
  await contender.release();
  await verifyArrival(contender.installation, WARM_UP_EVENTS);
  await contender.installation.options.sandbox.clear();
}

/** Drains a backlog with a worker that is warm, or that starts with it. */
const drained = (isWarm: boolean): Row =>
  async function* (context, name) {
    yield* withContender(context, name, {}, async function* (contender) {
      const { sandbox } = contender.installation.options;
      const events = context.scaled(BACKLOG, 1_000);
      if (isWarm) {
        await contender.startWorker();
        await warmUp(contender);
      }
      await contender.fill(events);
      if (!isWarm) await contender.release();
      const watch = await CpuWatch.start(contender.pids());
      const startedAtMs = isWarm ? await contender.release() : Date.now();
      if (!isWarm) await contender.startWorker();
      const { lastAtMs } = await waitForArrival(sandbox, events);
      const cpu = await watch.stop();
      const value = (events * 1_000) / (lastAtMs - startedAtMs);
      const deliveries = await verifyArrival(contender.installation, events);
      yield { values: { [isWarm ? 'drained' : 'drained_with_start']: value }, deliveries, cpu };
    });
  };

export const warmDrain = drained(true);
export const coldDrain = drained(false);

/** Kills the worker in the middle of a backlog, and starts another one at once. */
export const kill: Row = async function* (context, name) {
  yield* withContender(context, name, {}, async function* (contender) {
    const { sandbox } = contender.installation.options;
    // Fewer would be under way at once.
    const events = KILLED_EVENTS;
    await contender.startWorker();
    await warmUp(contender);
    await contender.fill(events);
    const watch = await CpuWatch.start(contender.pids());
    await contender.release();
    while ((await countArrived(sandbox)).events < events / 4) await sleep(5);
    await contender.killWorker();
    const killedAtMs = Date.now();
    await contender.startWorker();
    const { lastAtMs } = await waitForArrival(sandbox, events, STALLED_MS);
    const cpu = await watch.stop();
    const deliveries = await verifyArrival(contender.installation, events);
    const values = {
      last_arrival_after_kill: Math.max(0, lastAtMs - killedAtMs) / 1_000,
      repeats_after_kill: deliveries.duplicates,
    };
    // Repeats are the figure here.
    const { expected, received, duplicates } = deliveries;
    yield { values, deliveries: deliveryCounts(expected, received - duplicates, 0), cpu };
  });
};

/** Drains changes of one resource, and counts those that arrive after a later one. */
export const order: Row = async function* (context, name) {
  yield* withContender(context, name, { recording: true }, async function* (contender) {
    const { sandbox } = contender.installation.options;
    const events = context.scaled(CHANGES_OF_ONE_RESOURCE, 200);
    await contender.startWorker();
    await contender.fill(events, true);
    await sandbox.script({ target: 'data_stream', kind: 'throttle', ratio: 0.1, times: THROTTLED_CALLS });
    const watch = await CpuWatch.start(contender.pids());
    await contender.release();
    await waitForArrival(sandbox, events);
    const cpu = await watch.stop();
    const deliveries = await verifyArrival(contender.installation, events);
    let highest = 0;
    let late = 0;
    for (const { body } of await sandbox.received('data_stream')) {
      const { sequence } = JSON.parse(body) as { sequence: number };
      if (sequence < highest) late += 1;
      highest = Math.max(highest, sequence);
    }
    yield { values: { out_of_order: late }, deliveries, cpu };
  });
};
