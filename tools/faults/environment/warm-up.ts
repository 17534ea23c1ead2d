import { setTimeout as sleep } from 'node:timers/promises';
import { isFor } from './destination.js';
import type { ScenarioEnvironment } from './scenario-environment.js';

/** Limit for the first event of every destination: the vendors' clients load slowly on a busy machine. */
const TIMEOUT_MS = 600_000;

/**
 * Waits until every destination has received an event: the vendors' clients are loaded and connected.
 * @throws Error after ten minutes
 */
export async function warmUp(environment: ScenarioEnvironment): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (let reached = 0; reached < environment.destinations.length; await sleep(500)) {
    if (Date.now() > deadline)
      throw new Error(
        `Only ${reached} of ${environment.destinations.length} destinations received an event within ten minutes.`,
      );
    const counts = await environment.sandbox.counts();
    reached = environment.destinations.filter((one) => counts.some((count) => isFor(one, count))).length;
    environment.log(`${reached} of ${environment.destinations.length} destinations received an event`);
  }
}
