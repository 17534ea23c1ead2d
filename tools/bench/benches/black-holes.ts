import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceivedEvent } from '@waybill/sandbox';
import { subscribe } from '../../harness/destinations.js';
import { percentile } from '../../harness/statistics.js';
import type { Bench } from '../bench.js';
import { CpuWatch } from '../cpu/cpu-watch.js';
import { createStreams, seedCopies } from '../environment/destinations.js';
import type { Installation } from '../environment/installation.js';
import { seed, seededEventIds } from '../environment/seeding.js';
import type { LoadResponse } from '../load/keep-alive-connection.js';
import type { Load } from '../load/load.js';
import { deliveryCounts, figure, sumOfCounts, type DeliveryCounts } from '../result.js';

const HEALTHY = 20;
const BLACK_HOLES = 2_000;
/** Each change has a delivery to every healthy destination. */
const CHANGES_PER_SECOND = 5;
const WARM_UP_CHANGES = 50;
const SECONDS_WITHOUT = 15;
/** Long enough for the calls that begin together to end together, by the default of DELIVERY_SEND_TIMEOUT_MS. */
const SECONDS_WITH = 50;
/** Longest wait for the first calls to black holes, in milliseconds. */
const FIRST_CALLS_MS = 60_000;
const flat = { is: 'at most', value: 2 } as const;

/**
 * Measures the latency of destinations that work, without and with work for many destinations of the same kind that
 * never respond.
 */
export const blackHoles: Bench = {
  name: 'black-holes',
  everyBackend: true,
  run: (context) =>
    context.withInstallation(
      async function* (installation) {
        const { sandbox } = installation.options;
        const healthy = await createStreams(installation, HEALTHY);
        await subscribe(installation.client, healthy);
        const holes = await seedCopies(installation, context.scaled(BLACK_HOLES));
        await sandbox.script({ target: 'data_stream', kind: 'timeout', contains: seededEventIds() });
        await installation.start('worker');
        const load = await installation.openLoad();
        await load.paced(CHANGES_PER_SECOND, WARM_UP_CHANGES);
        context.log('without work for black holes');
        const without = await latencies(installation, load, context.scaled(SECONDS_WITHOUT, 5));
        context.log(`work for ${holes.length} black holes`);
        await giveWork(installation, holes);
        const calls = await waitForCalls(installation);
        const watch = await CpuWatch.start(installation.pids());
        const during = await latencies(installation, load, context.scaled(SECONDS_WITH, 10));
        const cpu = await watch.stop();
        yield context.result({
          bench: 'black-holes',
          variant: `${holes.length} of ${holes.length + HEALTHY}`,
          figures: [
            figure('p50_without', percentile(without.latencies, 0.5), 'ms'),
            figure('p99_without', percentile(without.latencies, 0.99), 'ms'),
            figure('p50', percentile(during.latencies, 0.5), 'ms'),
            figure('p99', percentile(during.latencies, 0.99), 'ms'),
            figure('highest', Math.max(...during.latencies), 'ms'),
            figure('rise_of_p99', ratioOf(during.latencies, without.latencies), '', flat),
            figure('first_calls', calls, 'calls'),
          ],
          deliveries: sumOfCounts([without.deliveries, during.deliveries]),
          cpu,
        });
      },
      { recording: true },
    ),
};

function ratioOf(during: readonly number[], without: readonly number[]): number {
  return percentile(during, 0.99) / percentile(without, 0.99);
}

/** Writes an event for each black hole, whose last attempts have failed, and dispatches it. */
async function giveWork(installation: Installation, holes: readonly string[]): Promise<void> {
  await seed(installation, { destinationIds: holes, events: holes.length, to: 'one in turn', state: 'pending' });
  await installation.pool.query(
    `update delivery_lanes set failures = 8, status = 'retrying' where destination_id = any($1::text[])`,
    [holes],
  );
  const dispatcher = await installation.dispatcher();
  dispatcher.notify(holes);
  await dispatcher.idle();
}

/** Waits until calls to black holes are in progress. Returns their number. */
async function waitForCalls(installation: Installation): Promise<number> {
  const deadline = Date.now() + FIRST_CALLS_MS;
  for (let held = 0, before = -1; ; before = held) {
    await sleep(1_000);
    const { rows } = await installation.pool.query<{ held: number }>(
      'select count(*)::int as held from delivery_lanes where attempt_until > now() and failures > 0',
    );
    held = rows[0]?.held ?? 0;
    if ((held > 0 && held <= before) || Date.now() > deadline) return held;
  }
}

/**
 * Makes changes for some seconds, and measures the time from each response to the arrivals at the healthy destinations.
 */
async function latencies(
  installation: Installation,
  load: Load,
  seconds: number,
): Promise<{ readonly deliveries: DeliveryCounts; readonly latencies: readonly number[] }> {
  const { sandbox } = installation.options;
  const changes = Math.round(seconds * CHANGES_PER_SECOND);
  const responses = await load.paced(CHANGES_PER_SECOND, changes);
  const expected = changes * HEALTHY;
  for (let waits = 0; ; waits += 1) {
    const found = arrivalsOf(await sandbox.received('data_stream'), responses);
    if (found.latencies.length >= expected || waits === 20) {
      const received = found.latencies.length + found.repeats;
      return { deliveries: deliveryCounts(expected, received, found.repeats), latencies: found.latencies };
    }
    await sleep(500);
  }
}

/**
 * Returns the times from each response to the first arrivals of its event, in milliseconds, and how many other arrivals
 * had a sequence that had arrived before at the same stream.
 */
export function arrivalsOf(
  received: readonly Pick<ReceivedEvent, 'address' | 'body' | 'receivedAtMs'>[],
  responses: readonly LoadResponse[],
): { readonly latencies: readonly number[]; readonly repeats: number } {
  const respondedAt = new Map(responses.map(({ operationId, atMs }) => [operationId, atMs]));
  const seen = new Set<string>();
  const times: number[] = [];
  let repeats = 0;
  for (const { address, body, receivedAtMs } of received) {
    const { request, sequence } = JSON.parse(body) as { request: { operation_id: string }; sequence: number };
    const at = respondedAt.get(request.operation_id);
    if (at === undefined) continue;
    const arrival = `${address} ${sequence}`;
    if (seen.has(arrival)) repeats += 1;
    else times.push(Math.max(0, receivedAtMs - at));
    seen.add(arrival);
  }
  return { latencies: times, repeats };
}
