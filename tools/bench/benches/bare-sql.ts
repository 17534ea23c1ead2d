import { LaneStore } from '../../../src/delivery/lanes/lane-store.js';
import { newId } from '../../../src/ids/id.js';
import { targetLimits } from '../../../src/targets/registry.js';
import { seed } from '../environment/seeding.js';
import type { Stage } from '../environment/stage.js';

const LEASE_MS = 60_000;

/**
 * The statements that take waiting events and mark them delivered, and nothing else: no queue, no payload, no call. The bound of
 * what one lane can do on this Postgres. No worker may run.
 * @returns events a second
 */
export async function measureBareSql(stage: Stage, destinationId: string, events: number): Promise<number> {
  await seed(stage, { destinationIds: [destinationId], events, to: 'one in turn', state: 'pending' });
  const lanes = new LaneStore(stage.db, targetLimits);
  const startedAt = performance.now();
  let marked = 0;
  for (;;) {
    const batch = await lanes.claim(destinationId, newId('bat'));
    if (!batch) break;
    const grant = await lanes.lease(destinationId, batch.batchId, newId('att'), LEASE_MS);
    if (grant.kind !== 'granted') throw new Error(`The lease was ${grant.kind}.`);
    const { lease } = grant;
    const ids = lease.deliveryIds.slice(1, -1).split(',').map(Number);
    await lanes.settle(lease, {
      delivered: ids.map((id, index) => ({ id, sequence: lease.firstSequence + index })),
      others: [],
      status: 'healthy',
      failures: 0,
      delayMs: null,
      frees: false,
      nextSequence: null,
      error: null,
      interruption: null,
      outcome: 'healthy',
      startedAt: new Date(),
      durationMs: 0,
    });
    marked += ids.length;
  }
  if (marked !== events) throw new Error(`${marked} of ${events} events were marked.`);
  return events / ((performance.now() - startedAt) / 1_000);
}
