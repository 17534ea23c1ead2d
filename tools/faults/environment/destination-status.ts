import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultDestination } from './destination.js';
import type { FaultStage } from './fault-stage.js';

/** A destination's status as its owner sees it. */
export interface SeenStatus {
  readonly status: string;
  readonly pending: number;
  readonly last_error: { readonly code: string; readonly message: string } | null;
}

/** The status of a destination. */
export async function statusOf(stage: FaultStage, { id }: FaultDestination): Promise<SeenStatus> {
  const { body } = await stage.api.send('GET', `/event_destinations/${id}/status`);
  return {
    status: String(body.status),
    pending: Number(body.pending),
    last_error: body.last_error as SeenStatus['last_error'],
  };
}

/**
 * Waits until every destination has this status, and holds the scenario to it.
 * @param withinSeconds how long it may take
 */
export async function expectStatus(
  stage: FaultStage,
  wanted: 'healthy' | 'retrying' | 'misconfigured',
  withinSeconds = 30,
): Promise<readonly SeenStatus[]> {
  const deadline = performance.now() + withinSeconds * 1_000;
  for (;;) {
    const seen = await Promise.all(stage.destinations.map((destination) => statusOf(stage, destination)));
    const reached = seen.every(({ status }) => status === wanted);
    if (reached || performance.now() > deadline) {
      const kinds = stage.destinations.map(({ kind }, index) => `${kind} ${seen[index]?.status}`).join(', ');
      stage.expect(reached, `every destination is ${wanted} within ${withinSeconds} s: ${kinds}`);
      return seen;
    }
    await sleep(200);
  }
}
