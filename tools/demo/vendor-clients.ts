import { setTimeout as sleep } from 'node:timers/promises';
import type { Screen } from './screen.js';

const POLL_MS = 100;
/** Limit of the wait. The demo then continues: the service repeats a failed load, and the counts show what is late. */
const WAIT_MS = 120_000;

/**
 * Waits until the service has loaded the clients of all kinds of target in use. Prints what it waits for.
 */
export async function waitForClients(baseUrl: string, screen: Pick<Screen, 'print'>): Promise<void> {
  const begun = performance.now();
  let printed = '';
  for (;;) {
    const waiting = await notLoaded(baseUrl);
    const seconds = (performance.now() - begun) / 1_000;
    if (waiting.length === 0) {
      if (printed !== '') screen.print(`The vendors' clients are loaded after ${seconds.toFixed(1)} s.`);
      return;
    }
    const names = waiting.join(', ');
    if (names !== printed) screen.print(`Waiting until the vendor's client is loaded for: ${names}`);
    printed = names;
    if (seconds * 1_000 > WAIT_MS) return;
    await sleep(POLL_MS);
  }
}

/** Returns the kinds of target whose client is not loaded, as the health check shows them. */
async function notLoaded(baseUrl: string): Promise<readonly string[]> {
  const response = await fetch(`${baseUrl}/readyz`);
  const { target_clients: clients = {} } = (await response.json()) as { target_clients?: Record<string, string> };
  return Object.entries(clients).map(([kind, state]) => (state === 'loading' ? kind : `${kind} (${state})`));
}
