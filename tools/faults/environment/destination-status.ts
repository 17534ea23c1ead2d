import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultDestination } from './destination.js';
import type { ScenarioEnvironment } from './scenario-environment.js';

/** Response of `GET /event_destinations/{id}/status`. */
export interface DestinationStatus {
  readonly status: string;
  readonly pending: number;
  readonly last_error: { readonly code: string; readonly message: string } | null;
}

/** Reads the status of a destination. */
export async function statusOf(environment: ScenarioEnvironment, { id }: FaultDestination): Promise<DestinationStatus> {
  const { body } = await environment.api.send('GET', `/event_destinations/${id}/status`);
  return {
    status: String(body.status),
    pending: Number(body.pending),
    last_error: body.last_error as DestinationStatus['last_error'],
  };
}

/** Waits until every destination has a status, and fails the scenario if one does not reach it in time. */
export async function expectStatus(
  environment: ScenarioEnvironment,
  wanted: 'healthy' | 'retrying' | 'misconfigured' | 'paused',
  withinSeconds = 30,
): Promise<readonly DestinationStatus[]> {
  const deadline = performance.now() + withinSeconds * 1_000;
  for (;;) {
    const seen = await Promise.all(environment.destinations.map((destination) => statusOf(environment, destination)));
    const reached = seen.every(({ status }) => status === wanted);
    if (reached || performance.now() > deadline) {
      const kinds = environment.destinations.map(({ kind }, index) => `${kind} ${seen[index]?.status}`).join(', ');
      environment.expect(reached, `every destination is ${wanted} within ${withinSeconds} s: ${kinds}`);
      return seen;
    }
    await sleep(200);
  }
}
