import { megabytesOfTrees } from '../../../harness/proc.js';
import type { SandboxProcess } from '../../../harness/sandbox-process.js';
import { percentile } from '../../../harness/statistics.js';
import { CpuWatch } from '../../cpu/cpu-watch.js';
import { verifyArrival, waitForArrival } from '../../environment/arrival.js';
import type { LoadResponse } from '../../load/keep-alive-connection.js';
import { sumOfCounts } from '../../result.js';
import type { Row } from './backlog-rows.js';
import { withContender } from './contender.js';
import { cpuOfEach } from './measured.js';

const CHANGES_PER_SECOND = 50;
const CHANGES = 1_000;
const WARM_UP_CHANGES = 200;
const SUSTAINED_SECONDS = 10;
const WARM_UP_SECONDS = 2;
const FAN_OUT_CHANGES = 5;

/** Makes 50 changes a second: CPU of each, and the time from the response to the receipt. */
export const trickle: Row = async function* (context, name) {
  yield* withContender(context, name, { recording: true }, async function* (contender) {
    const { sandbox } = contender.installation.options;
    await contender.startWorker();
    const load = await contender.openLoad();
    await load.paced(CHANGES_PER_SECOND, context.warmUp(WARM_UP_CHANGES));
    await verifyArrival(contender.installation, load.answered);
    await sandbox.clear();
    const count = context.scaled(CHANGES, 200);
    const watch = await CpuWatch.start(contender.pids());
    const responses = await load.paced(CHANGES_PER_SECOND, count);
    await waitForArrival(sandbox, count);
    const cpu = await watch.stop();
    const deliveries = await verifyArrival(contender.installation, count);
    const latencies = await latenciesOf(sandbox, responses);
    const values = {
      ...cpuOfEach(count, cpu),
      p50: percentile(latencies, 0.5),
      p99: percentile(latencies, 0.99),
    };
    yield { values, deliveries, cpu };
  });
};

/** Times from each response to the receipt of its event, in milliseconds. An event may arrive before the response. */
export async function latenciesOf(
  sandbox: SandboxProcess,
  responses: readonly LoadResponse[],
): Promise<readonly number[]> {
  const receivedAt = new Map<string, number>();
  for (const { body, receivedAtMs } of await sandbox.received('data_stream')) {
    const { request } = JSON.parse(body) as { request: { operation_id: string } };
    if (!receivedAt.has(request.operation_id)) receivedAt.set(request.operation_id, receivedAtMs);
  }
  return responses.flatMap(({ operationId, atMs }) => {
    const at = receivedAt.get(operationId);
    return at === undefined ? [] : [Math.max(0, at - atMs)];
  });
}

/** Makes as many changes as possible, singly, before the worker starts: changes a second, and the CPU of each. */
export const publishedAlone: Row = async function* (context, name) {
  yield* withContender(context, name, {}, async function* (contender) {
    const load = await contender.openLoad();
    await load.saturate(context.warmUp(WARM_UP_SECONDS));
    const before = load.answered;
    const watch = await CpuWatch.start(contender.pids());
    const published = await load.saturate(Math.max(2, context.scaled(SUSTAINED_SECONDS)));
    const cpu = await watch.stop();
    await contender.startWorker();
    const deliveries = await verifyArrival(contender.installation, load.answered);
    const cpuOfOne = cpuOfEach(load.answered - before, cpu)['cpu_per_event'] ?? Number.NaN;
    yield { values: { published, cpu_per_published: cpuOfOne }, deliveries, cpu };
  });
};

/**
 * Makes as many changes as possible while the worker runs: events a second from the first request to the last arrival,
 * and the memory of all processes and stores then.
 */
export const through: Row = async function* (context, name) {
  yield* withContender(context, name, {}, async function* (contender) {
    const { sandbox } = contender.installation.options;
    await contender.startWorker();
    const load = await contender.openLoad();
    await load.saturate(context.warmUp(WARM_UP_SECONDS));
    await verifyArrival(contender.installation, load.answered);
    await sandbox.clear();
    const before = load.answered;
    const watch = await CpuWatch.start(contender.pids());
    const startedAtMs = Date.now();
    await load.saturate(Math.max(2, context.scaled(SUSTAINED_SECONDS)));
    const events = load.answered - before;
    const { lastAtMs } = await waitForArrival(sandbox, events);
    const cpu = await watch.stop();
    const { api, worker, postgres, redis } = contender.pids();
    // Null: a server on another machine.
    const pids = [api, worker, postgres, redis].filter((pid) => pid !== undefined).map((pid) => pid ?? Number.NaN);
    const memory = await megabytesOfTrees(pids);
    const deliveries = await verifyArrival(contender.installation, events);
    const values = {
      memory_of_all: memory,
      through: (events * 1_000) / (lastAtMs - startedAtMs),
      cpu_per_publish: ((cpu.seconds['api'] ?? 0) / events) * 1_000,
      cpu_per_event_of_through: cpuOfEach(events, cpu)['cpu_per_event'] ?? Number.NaN,
    };
    yield { values, deliveries, cpu };
  });
};

/** Makes one change at a time to many destinations: the time from the response to the last arrival, on average. */
export const lastArrival = (destinations: number): Row =>
  async function* (context, name) {
    yield* withContender(context, name, { destinations }, async function* (contender) {
      const { sandbox } = contender.installation.options;
      await contender.startWorker();
      const load = await contender.openLoad();
      const change = async (): Promise<number> => {
        await sandbox.clear();
        const { atMs } = await load.one();
        const { lastAtMs } = await waitForArrival(sandbox, destinations);
        return Math.max(0, lastAtMs - atMs);
      };
      for (let count = 1; count <= context.warmUp(2); count += 1) await change();
      const watch = await CpuWatch.start(contender.pids());
      let sum = 0;
      const counts = [];
      for (let count = 1; count <= FAN_OUT_CHANGES; count += 1) {
        sum += await change();
        counts.push(await verifyArrival(contender.installation, destinations));
      }
      const cpu = await watch.stop();
      const deliveries = sumOfCounts(counts);
      const values = {
        [`last_arrival_${destinations}`]: sum / FAN_OUT_CHANGES,
        [`cpu_per_delivery_${destinations}`]:
          cpuOfEach(FAN_OUT_CHANGES * destinations, cpu)['cpu_per_event'] ?? Number.NaN,
      };
      yield { values, deliveries, cpu };
    });
  };
