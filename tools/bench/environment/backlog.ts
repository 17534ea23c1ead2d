import { CpuWatch, type CpuUse } from '../cpu/cpu-watch.js';
import type { Proof } from '../result.js';
import { proveArrival, untilArrived } from './arrival.js';
import { seed } from './seeding.js';
import type { Stage } from './stage.js';

/** What draining a backlog came to. */
export interface Drained {
  readonly proof: Proof;
  readonly perSecond: number;
  readonly seconds: number;
  readonly cpu: CpuUse;
}

/** Events that a worker delivers before it is measured: its code is compiled by then, and its connections are open. */
const WARM_UP_EVENTS = 2_000;

/**
 * Lets the worker, which must run, deliver a first few events to each destination, so that it is measured warm. The sandbox is
 * cleared after it.
 */
export async function warmUp(stage: Stage, destinationIds: readonly string[]): Promise<void> {
  await fill(stage, destinationIds, Math.max(WARM_UP_EVENTS, destinationIds.length));
  await release(stage, destinationIds);
  await proveArrival(stage, Math.max(WARM_UP_EVENTS, destinationIds.length));
  await stage.options.sandbox.clear();
}

/** Makes events wait, spread over destinations whose lanes are held until `release`. */
export async function fill(stage: Stage, destinationIds: readonly string[], events: number): Promise<void> {
  await stage.pool.query(
    `update delivery_lanes set resume_at = now() + interval '1 day' where destination_id = any($1::text[])`,
    [destinationIds],
  );
  await seed(stage, { destinationIds, events, to: 'one in turn', state: 'pending' });
}

/** Lets the lanes go and dispatches them. Gives the moment, in milliseconds since the epoch. */
export async function release(stage: Stage, destinationIds: readonly string[]): Promise<number> {
  const dispatcher = await stage.dispatcher();
  await stage.pool.query(
    `update delivery_lanes set resume_at = null where destination_id = any($1::text[])`,
    [destinationIds],
  );
  const startedAtMs = Date.now();
  dispatcher.notify(destinationIds);
  return startedAtMs;
}

/** Makes events wait for destinations, lets them go, and measures until the last has arrived. The worker must run. */
export async function drainBacklog(
  stage: Stage,
  destinationIds: readonly string[],
  events: number,
): Promise<Drained> {
  await fill(stage, destinationIds, events);
  const watch = await CpuWatch.start(stage.processes());
  const startedAtMs = await release(stage, destinationIds);
  const { lastAtMs } = await untilArrived(stage.options.sandbox, events);
  const cpu = await watch.stop();
  const proof = await proveArrival(stage, events);
  await stage.options.sandbox.clear();
  const seconds = (lastAtMs - startedAtMs) / 1_000;
  return { proof, seconds, perSecond: events / seconds, cpu };
}
