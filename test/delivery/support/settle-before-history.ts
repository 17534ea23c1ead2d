import { sql } from 'kysely';
import type { Database } from '../../../src/database/database.js';
import type { BatchDelivery } from '../../../src/delivery/lanes/batch-store.js';
import { int8Array } from '../../../src/delivery/lanes/lane-statements.js';
import type { Lease } from '../../../src/delivery/lanes/lane.js';

/**
 * Records a delivered batch as a release before the history did: the deliveries stay in their table.
 * @returns whether the lease still held
 */
export async function settleBeforeHistory(
  db: Database,
  { destinationId, batchId, token, attempt }: Lease,
  deliveries: readonly BatchDelivery[],
): Promise<boolean> {
  const ids = int8Array(deliveries.map(({ id }) => id));
  const sequences = int8Array(deliveries.map(({ event: { sequence } }) => sequence));
  const { numAffectedRows } = await sql`
    with lane as (
      update delivery_lanes
      set batch_id = null, batch_delivery_ids = null, claimed_at = null, attempt_token = null, attempt_until = null,
          revision = revision + 1, failures = 0, resume_at = null, status = 'healthy'
      where destination_id = ${destinationId} and batch_id = ${batchId} and attempt_token = ${token}
      returning destination_id
    )
    update deliveries d
    set state = 'delivered', sequence = tried.sequence, batch_id = ${batchId}, attempts = ${attempt}, finished_at = now()
    from lane, unnest(${ids}::bigint[], ${sequences}::bigint[]) as tried (id, sequence)
    where d.destination_id = lane.destination_id and d.id = tried.id and d.state = 'pending'`.execute(db);
  return Number(numAffectedRows ?? 0n) === deliveries.length;
}
