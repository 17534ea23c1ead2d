import { LaneStore } from '../../../src/delivery/lanes/lane-store.js';
import { newId } from '../../../src/ids/id.js';
import { targetLimits } from '../../../src/targets/registry.js';
import type { Installation } from '../environment/installation.js';
import { seed } from '../environment/seeding.js';

const LEASE_MS = 60_000;

/**
 * Measures the statements that claim and settle waiting events, without queue, payload or call: the upper limit of one
 * lane on this Postgres. No worker may run.
 * @returns events per second
 */
export async function measureBareSql(
  installation: Installation,
  destinationId: string,
  events: number,
): Promise<number> {
  await seed(installation, { destinationIds: [destinationId], events, to: 'one in turn', state: 'pending' });
  const lanes = new LaneStore(installation.db, targetLimits);
  const startedAt = performance.now();
  let settled = 0;
  for (;;) {
    const batch = await lanes.claim(destinationId, newId('bat'));
    if (!batch) break;
    const grant = await lanes.lease(destinationId, batch.batchId, newId('att'), LEASE_MS);
    if (grant.kind !== 'granted') throw new Error(`The lease was not granted: ${grant.kind}.`);
    const { lease } = grant;
    const ids = lease.deliveryIds.slice(1, -1).split(',').map(Number);
    await lanes.settle(lease, {
      delivered: ids.map((id, index) => ({ id, sequence: lease.firstSequence + index })),
      undelivered: [],
      status: 'healthy',
      failures: 0,
      delayMs: null,
      freesLane: false,
      nextSequence: null,
      error: null,
      interruption: null,
      latestTimestampMs: null,
      latencies: [],
      rejections: null,
      outcome: 'healthy',
      startedAt: new Date(),
      durationMs: 0,
    });
    settled += ids.length;
  }
  if (settled !== events) throw new Error(`Only ${settled} of ${events} events were settled.`);
  return events / ((performance.now() - startedAt) / 1_000);
}
