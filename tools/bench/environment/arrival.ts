import { setTimeout as sleep } from 'node:timers/promises';
import { proofOf, type Proof } from '../result.js';
import type { SandboxProcess } from './sandbox.js';
import type { Stage } from './stage.js';

/** How often the sandbox is asked what has arrived. */
const POLL_MS = 20;
/** How long nothing may arrive before the rest is given up. */
const PATIENCE_MS = 60_000;
/** Time for a duplicate to show itself after all is recorded. */
const SETTLE_MS = 300;

/** What has arrived at a moment. */
export interface Arrived {
  readonly events: number;
  readonly repeats: number;
  /** When it was looked, and when the last of it was accepted: milliseconds since the epoch. */
  readonly atMs: number;
  readonly lastAtMs: number;
}

/** What has arrived at the sandbox since it was cleared. */
export async function arrivedAt(sandbox: SandboxProcess): Promise<Arrived> {
  const counts = await sandbox.counts();
  return {
    events: counts.reduce((sum, { events }) => sum + events, 0),
    repeats: counts.reduce((sum, { repeats }) => sum + repeats, 0),
    atMs: Date.now(),
    lastAtMs: Math.max(0, ...counts.map(({ lastAtMs }) => lastAtMs)),
  };
}

/** Waits until so many different events have arrived, or nothing more comes. */
export async function untilArrived(sandbox: SandboxProcess, events: number): Promise<Arrived> {
  let arrived = await arrivedAt(sandbox);
  let progressAtMs = arrived.atMs;
  while (arrived.events - arrived.repeats < events && arrived.atMs - progressAtMs < PATIENCE_MS) {
    await sleep(POLL_MS);
    const now = await arrivedAt(sandbox);
    if (now.events > arrived.events) progressAtMs = now.atMs;
    arrived = now;
  }
  return arrived;
}

/** Waits until nothing is pending any more (or the patience is over) and says what was lost and what came twice. */
export async function proveArrival(stage: Stage, expected: number): Promise<Proof> {
  await untilArrived(stage.options.sandbox, expected);
  const deadline = Date.now() + PATIENCE_MS;
  while ((await hasPending(stage)) && Date.now() < deadline) await sleep(POLL_MS);
  await sleep(SETTLE_MS);
  const { events, repeats } = await arrivedAt(stage.options.sandbox);
  return proofOf(expected, events, repeats);
}

async function hasPending(stage: Stage): Promise<boolean> {
  const { rows } = await stage.pool.query(
    `select from delivery_lanes where exists (
       select from deliveries d where d.destination_id = delivery_lanes.destination_id and state = 'pending') limit 1`,
  );
  return rows.length > 0;
}
