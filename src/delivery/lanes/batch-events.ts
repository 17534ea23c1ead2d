import { sql } from 'kysely';
import type { Database } from '../../database/database.js';
import type { JobEvent } from '../queues/job.js';

/** Returns the pending events of a batch, for its job. Empty when the lane has another batch now. */
export async function readBatchEvents(
  db: Database,
  destinationId: string,
  batchId: string,
): Promise<readonly JobEvent[]> {
  const { rows } = await sql<{ id: string; type: string; number: number }>`
    select e.id, e.type, coalesce(d.sequence,
      l.batch_first_sequence - 1 + count(*) filter (where d.sequence is null) over (order by d.id)) as number
    from delivery_lanes l
    join deliveries d on d.destination_id = l.destination_id and d.id = any(l.batch_delivery_ids)
    join events e on e.id = d.event_id
    where l.destination_id = ${destinationId} and l.batch_id = ${batchId}
    order by d.id`.execute(db);
  return rows.map(({ id, type, number }) => ({ id, type, sequence: number }));
}
