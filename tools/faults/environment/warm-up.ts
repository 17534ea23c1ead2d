import { until } from '../../harness/until.js';
import { isFor } from './destination.js';
import type { ScenarioEnvironment } from './scenario-environment.js';

/** Limit for the first event of every destination: the vendors' clients load slowly on a busy machine. */
const TIMEOUT_MS = 600_000;

/**
 * Waits until every destination has received an event: the vendors' clients are loaded and connected.
 * @throws Error after ten minutes
 */
export async function warmUp(environment: ScenarioEnvironment): Promise<void> {
  const isWarm = async (): Promise<boolean> => {
    const counts = await environment.sandbox.counts();
    return environment.destinations.every((one) => counts.some((count) => isFor(one, count)));
  };
  await until(isWarm, 'every destination received an event', TIMEOUT_MS);
  environment.log('every destination received an event');
}
