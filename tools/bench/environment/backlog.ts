import { CpuWatch, type CpuUse } from '../cpu/cpu-watch.js';
import type { DeliveryCounts } from '../result.js';
import { verifyArrival, waitForArrival } from './arrival.js';
import type { Installation } from './installation.js';
import { seed } from './seeding.js';

/** Result of a drained backlog. */
export interface Drained {
  readonly deliveries: DeliveryCounts;
  readonly perSecond: number;
  readonly seconds: number;
  readonly cpu: CpuUse;
}

/** Enough for the worker to compile its code and open its connections. */
const WARM_UP_EVENTS = 2_000;

/** Delivers a few events to each destination, then clears the sandbox. The worker must run. */
async function warmUp(installation: Installation, destinationIds: readonly string[]): Promise<void> {
  await fill(installation, destinationIds, Math.max(WARM_UP_EVENTS, destinationIds.length));
  await release(installation, destinationIds);
  await verifyArrival(installation, Math.max(WARM_UP_EVENTS, destinationIds.length));
  await installation.options.sandbox.clear();
}

/** Replaces the api by a worker that has delivered events to these destinations. */
export async function warmWorker(installation: Installation, destinationIds: readonly string[]): Promise<void> {
  await installation.stop('api');
  await installation.start('worker');
  await warmUp(installation, destinationIds);
}

/** Writes events to destinations in turn and holds their lanes until `release`. */
export async function fill(
  installation: Installation,
  destinationIds: readonly string[],
  events: number,
  ofOneResource = false,
): Promise<void> {
  await installation.pool.query(
    `update delivery_lanes set resume_at = now() + interval '1 day' where destination_id = any($1::text[])`,
    [destinationIds],
  );
  await seed(installation, { destinationIds, events, to: 'one in turn', state: 'pending', ofOneResource });
}

/** Releases and dispatches the lanes. Returns the time, in milliseconds since the epoch. */
export async function release(installation: Installation, destinationIds: readonly string[]): Promise<number> {
  const dispatcher = await installation.dispatcher();
  await installation.pool.query(`update delivery_lanes set resume_at = null where destination_id = any($1::text[])`, [
    destinationIds,
  ]);
  const startedAtMs = Date.now();
  dispatcher.notify(destinationIds);
  return startedAtMs;
}

/** Writes a backlog, releases it, and measures until the last event arrives. The worker must run. */
export async function drainBacklog(
  installation: Installation,
  destinationIds: readonly string[],
  events: number,
): Promise<Drained> {
  await fill(installation, destinationIds, events);
  const watch = await CpuWatch.start(installation.pids());
  const startedAtMs = await release(installation, destinationIds);
  const { lastAtMs } = await waitForArrival(installation.options.sandbox, events);
  const cpu = await watch.stop();
  const deliveries = await verifyArrival(installation, events);
  await installation.options.sandbox.clear();
  const seconds = (lastAtMs - startedAtMs) / 1_000;
  return { deliveries, seconds, perSecond: events / seconds, cpu };
}
