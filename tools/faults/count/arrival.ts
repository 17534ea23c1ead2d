import { setTimeout as sleep } from 'node:timers/promises';
import { isFor, type FaultDestination } from '../environment/destination.js';
import type { SandboxProcess } from '../../bench/environment/sandbox.js';
import type { ApiClient } from '../../demo/api-client.js';

/** How often the sandbox is asked, and how long nothing may arrive before the rest is given up. */
const POLL_MS = 250;
const PATIENCE_MS = 60_000;
/** How long everything must be there and nothing more come before it is counted: time for a duplicate to show itself. */
const SETTLE_MS = 1_000;

/** Where arrivals are seen. */
export interface Watched {
  readonly sandbox: SandboxProcess;
  readonly api: ApiClient;
  say(text: string): void;
}

/**
 * Waits until so many different events have arrived at each destination and Waybill knows it (nothing is pending), or nothing
 * has come for a minute.
 * @param rejected how many of them each target refuses for good
 */
export async function waitForArrival(
  watched: Watched,
  destinations: readonly FaultDestination[],
  published: number,
  rejected = 0,
): Promise<void> {
  let progressAt = Date.now();
  let saidAt = progressAt;
  let before = -1;
  for (;;) {
    const arrived = await arrivedAt(watched.sandbox, destinations);
    const all = arrived.reduce((sum, { events }) => sum + events, 0);
    const now = Date.now();
    if (all !== before) progressAt = now;
    before = all;
    const complete = arrived.every(({ different }) => different >= published - rejected);
    if (complete && now - progressAt >= SETTLE_MS && !(await hasPending(watched.api, destinations))) return;
    if (now - progressAt > PATIENCE_MS) return;
    if (now - saidAt > 5_000) {
      saidAt = now;
      watched.say(`${all} arrived, ${published} published to each of ${destinations.length}`);
    }
    await sleep(POLL_MS);
  }
}

async function arrivedAt(
  sandbox: SandboxProcess,
  destinations: readonly FaultDestination[],
): Promise<readonly { readonly events: number; readonly different: number }[]> {
  const counts = await sandbox.counts();
  return destinations.map((destination) => {
    const own = counts.filter((count) => isFor(destination, count));
    const events = own.reduce((sum, count) => sum + count.events, 0);
    return { events, different: events - own.reduce((sum, { repeats }) => sum + repeats, 0) };
  });
}

async function hasPending(api: ApiClient, destinations: readonly FaultDestination[]): Promise<boolean> {
  for (const { id } of destinations) {
    const status = await api.send('GET', `/event_destinations/${id}/status`).catch(() => null);
    if (status?.body.pending !== 0) return true;
  }
  return false;
}
