import { setTimeout as sleep } from 'node:timers/promises';
import { isFor } from './destination.js';
import type { FaultStage } from './fault-stage.js';

/** How long every destination may take to receive its first event, in milliseconds: vendors' clients load on a busy machine too. */
const PATIENCE_MS = 120_000;

/**
 * Waits until every destination has had something: the vendors' clients are loaded, and the connections open.
 * @throws Error when one has had nothing after two minutes
 */
export async function untilWarm(stage: FaultStage): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let warm = 0; warm < stage.destinations.length; await sleep(500)) {
    if (Date.now() > deadline)
      throw new Error(
        `Only ${warm} of ${stage.destinations.length} destinations received something in two minutes.`,
      );
    const counts = await stage.sandbox.counts();
    warm = stage.destinations.filter((one) => counts.some((count) => isFor(one, count))).length;
    stage.say(`${warm} of ${stage.destinations.length} destinations have received something`);
  }
}
