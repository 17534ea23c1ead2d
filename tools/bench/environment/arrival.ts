import { setTimeout as sleep } from 'node:timers/promises';
import { checkpointEvent } from '../../../src/events/catalogue/checkpoint-event.js';
import type { SandboxProcess } from '../../harness/sandbox-process.js';
import { deliveryCounts, type DeliveryCounts } from '../result.js';
import type { Installation } from './installation.js';

const POLL_MS = 20;
/** Time without an arrival after which the rest counts as lost. */
const TIMEOUT_MS = 60_000;
/** Time for a late duplicate to arrive. */
const SETTLE_MS = 300;

/** Arrivals up to a point in time. */
export interface Arrived {
  readonly events: number;
  readonly repeats: number;
  /** Time of the count, and of the last arrival: milliseconds since the epoch. */
  readonly atMs: number;
  readonly lastAtMs: number;
}

/** Counts the arrivals at the sandbox since the last clear. */
export async function countArrived(sandbox: SandboxProcess): Promise<Arrived> {
  const counts = await sandbox.counts();
  return {
    events: counts.reduce((sum, { events }) => sum + events, 0),
    repeats: counts.reduce((sum, { repeats }) => sum + repeats, 0),
    atMs: Date.now(),
    lastAtMs: Math.max(0, ...counts.map(({ lastAtMs }) => lastAtMs)),
  };
}

/**
 * Waits until this many different events have arrived, or until no more arrive.
 * @param timeoutMs time without an arrival after which it gives up, in milliseconds
 */
export async function waitForArrival(
  sandbox: SandboxProcess,
  events: number,
  timeoutMs: number = TIMEOUT_MS,
): Promise<Arrived> {
  let arrived = await countArrived(sandbox);
  let progressAtMs = arrived.atMs;
  while (arrived.events - arrived.repeats < events && arrived.atMs - progressAtMs < timeoutMs) {
    await sleep(POLL_MS);
    const now = await countArrived(sandbox);
    if (now.events > arrived.events) progressAtMs = now.atMs;
    arrived = now;
  }
  return arrived;
}

/** Waits for all arrivals and until no delivery is pending. Returns lost and duplicate events. */
export async function verifyArrival(installation: Installation, expected: number): Promise<DeliveryCounts> {
  await waitForArrival(installation.options.sandbox, expected);
  const deadline = Date.now() + TIMEOUT_MS;
  while ((await hasPending(installation)) && Date.now() < deadline) await sleep(POLL_MS);
  await sleep(SETTLE_MS);
  const { events, repeats } = await countArrived(installation.options.sandbox);
  return deliveryCounts(expected, events - (await checkpointsArrived(installation)), repeats);
}

/** Returns how many checkpoints of logs were delivered since the last clear: no bench publishes them. */
async function checkpointsArrived({ pool, options }: Installation): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from finished_deliveries d join events e on e.id = d.event_id
     where e.type = $1 and d.state = 'delivered' and d.finished_at >= $2`,
    [checkpointEvent.type, options.sandbox.clearedAt()],
  );
  return rows[0]?.count ?? 0;
}

async function hasPending(installation: Installation): Promise<boolean> {
  const { rows } = await installation.pool.query(
    `select from delivery_lanes where exists (
       select from deliveries d where d.destination_id = delivery_lanes.destination_id and state = 'pending') limit 1`,
  );
  return rows.length > 0;
}
