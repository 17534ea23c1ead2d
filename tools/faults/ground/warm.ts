import { setTimeout as sleep } from 'node:timers/promises';
import { isFor } from './destination.js';
import type { FaultStage } from './fault-stage.js';

/** Waits until every destination has had something: the vendors' clients are loaded, and the connections open. */
export async function untilWarm(stage: FaultStage): Promise<void> {
  for (let warm = 0; warm < stage.destinations.length; await sleep(500)) {
    const counts = await stage.sandbox.counts();
    warm = stage.destinations.filter((one) => counts.some((count) => isFor(one, count))).length;
    stage.say(`${warm} of ${stage.destinations.length} destinations have received something`);
  }
}
