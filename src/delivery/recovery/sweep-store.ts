import { sql } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import type { Database } from '../../database/database.js';
import type { TargetKind } from '../../targets/target.js';
import type { JobEvent } from '../queues/job.js';

/** A batch that has no attempt although nothing delays it. */
export interface DueBatch {
  readonly destinationId: string;
  readonly batchId: string;
  readonly targetKind: TargetKind;
}

/**
 * Finds what an interrupted step left: idle lanes with pending deliveries, batches whose job may be lost, deliveries
 * without a lane.
 */
export class SweepStore {
  constructor(private readonly db: Database) {}

  /**
   * Returns lanes without a batch that have pending deliveries, ordered by id.
   * @param after only lanes behind this id
   */
  async idleLanesWithWork(
    after: string,
    limit: number,
  ): Promise<readonly { destinationId: string; inBackoff: boolean }[]> {
    const { rows } = await sql<{ destination_id: string; in_backoff: boolean }>`
      select l.destination_id, coalesce(l.resume_at > now(), false) as in_backoff
      from delivery_lanes l
      where l.destination_id > ${after} and l.batch_id is null
        and exists (select from deliveries d where d.destination_id = l.destination_id and d.state = 'pending')
      order by l.destination_id limit ${limit}`.execute(this.db);
    return rows.map((row) => ({ destinationId: row.destination_id, inBackoff: row.in_backoff }));
  }

  /**
   * Returns batches that have had neither a backoff nor a lease for `graceMs`. Their job waits in the queue, or is
   * lost.
   * @param after only lanes behind this id
   */
  async dueBatches(after: string, limit: number, graceMs: number): Promise<readonly DueBatch[]> {
    const { rows } = await sql<{ destination_id: string; batch_id: string; target_kind: TargetKind }>`
      select destination_id, batch_id, target_kind
      from delivery_lanes
      where destination_id > ${after} and batch_id is not null
        and greatest(claimed_at, resume_at, attempt_until) <= ${fromNow(-graceMs)}
      order by destination_id limit ${limit}`.execute(this.db);
    return rows.map((row) => ({
      destinationId: row.destination_id,
      batchId: row.batch_id,
      targetKind: row.target_kind,
    }));
  }

  /** Returns the pending events of a batch, for its job. Empty when the lane has another batch now. */
  async eventsOfBatch(destinationId: string, batchId: string): Promise<readonly JobEvent[]> {
    const { rows } = await sql<{ id: string; type: string; number: number }>`
      select e.id, e.type, coalesce(d.sequence,
        l.batch_first_sequence - 1 + count(*) filter (where d.sequence is null) over (order by d.id)) as number
      from delivery_lanes l
      join deliveries d on d.destination_id = l.destination_id and d.id = any(l.batch_delivery_ids)
      join events e on e.id = d.event_id
      where l.destination_id = ${destinationId} and l.batch_id = ${batchId}
      order by d.id`.execute(this.db);
    return rows.map(({ id, type, number }) => ({ id, type, sequence: number }));
  }

  /**
   * Returns deleted destinations: those with pending deliveries and without a lane. Skips through the index of pending
   * deliveries from one destination to the next, so its cost does not depend on the number of deliveries.
   */
  async destinationsWithoutLane(limit: number): Promise<readonly string[]> {
    const { rows } = await sql<{ destination_id: string }>`
      with recursive waiting as (
        (select destination_id from deliveries where state = 'pending' order by destination_id limit 1)
        union all
        select (select d.destination_id from deliveries d
                where d.state = 'pending' and d.destination_id > waiting.destination_id
                order by d.destination_id limit 1)
        from waiting where waiting.destination_id is not null
      )
      select destination_id from waiting
      where destination_id is not null
        and not exists (select from delivery_lanes l where l.destination_id = waiting.destination_id)
      limit ${limit}`.execute(this.db);
    return rows.map((row) => row.destination_id);
  }

  /**
   * Expires at most `limit` deliveries of a deleted destination.
   * @returns how many
   */
  async expireOrphans(destinationId: string, limit: number): Promise<number> {
    const { numAffectedRows } = await sql`
      update deliveries set state = 'expired', finished_at = now(), error_code = 'destination_deleted',
        error_message = 'The destination was deleted before the event could be delivered.'
      where destination_id = ${destinationId} and state = 'pending' and id = any(array(
        select id from deliveries where destination_id = ${destinationId} and state = 'pending' order by id limit ${limit}
      ))
      and not exists (select from delivery_lanes where destination_id = ${destinationId})`.execute(this.db);
    return Number(numAffectedRows ?? 0n);
  }
}
