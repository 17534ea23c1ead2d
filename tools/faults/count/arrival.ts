import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../../harness/api-client.js';
import type { SandboxProcess } from '../../harness/sandbox-process.js';
import { isFor, type FaultDestination } from '../environment/destination.js';

const POLL_MS = 250;
/** Time without an arrival after which the rest counts as lost. */
const TIMEOUT_MS = 300_000;
/** Time for a late duplicate to arrive. */
const SETTLE_MS = 1_000;

/** Sandbox and API of a scenario. */
export interface Watched {
  readonly sandbox: SandboxProcess;
  readonly api: ApiClient;
  log(text: string): void;
}

/**
 * Waits until every destination has received its events and none is pending, or until nothing arrives for five minutes.
 * @param rejected number of events that each target rejects
 */
export async function waitForArrival(
  watched: Watched,
  destinations: readonly FaultDestination[],
  published: number,
  rejected = 0,
): Promise<void> {
  let progressAt = Date.now();
  let loggedAt = progressAt;
  let before = -1;
  for (;;) {
    const arrived = await arrivedAt(watched.sandbox, destinations);
    const all = arrived.reduce((sum, { events }) => sum + events, 0);
    const now = Date.now();
    if (all !== before) progressAt = now;
    before = all;
    const complete = arrived.every(({ different }) => different >= published - rejected);
    if (complete && now - progressAt >= SETTLE_MS && !(await hasPending(watched.api, destinations))) return;
    if (now - progressAt > TIMEOUT_MS) return;
    if (now - loggedAt > 5_000) {
      loggedAt = now;
      watched.log(`${all} arrivals of ${published} events at ${destinations.length} destinations`);
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
