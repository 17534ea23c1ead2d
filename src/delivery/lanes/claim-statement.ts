import { sql, type RawBuilder } from 'kysely';
import type { TargetKind } from '../../targets/target.js';
import { admittedEpoch } from './epoch.js';
import { advancedFloor } from './floor.js';
import { nextBatch } from './lane-statements.js';

/** One event of a claimed batch, with its number. */
export interface ClaimRow {
  target_kind: TargetKind;
  event_id: string;
  type: string;
  number: number;
  failures: number;
}

/**
 * Claims a lane's next batch: one row for each of its events, in order; no row when nothing is claimed
 * (`LaneStore.claim`).
 * @param limits the table of `limitsTable`
 */
export function claimStatement(
  limits: RawBuilder<unknown>,
  destinationId: string,
  batchId: string,
): RawBuilder<ClaimRow> {
  return sql<ClaimRow>`
      with lane as materialized (
        select lane.destination_id, lane.target_kind, lane.next_sequence,
               lane.floor_id, lane.next_floor_id, lane.next_floor_xid,
               limits.records, limits.batch_bytes, limits.overhead, limits.expansion
        from delivery_lanes seen
        join delivery_lanes lane on lane.destination_id = seen.destination_id and lane.revision = seen.revision
        join ${limits} on limits.kind = seen.target_kind
        where seen.destination_id = ${destinationId}
          and seen.epoch = ${admittedEpoch}
          and seen.batch_id is null and (seen.resume_at is null or seen.resume_at <= now())
        for update of lane
      ),
      ${nextBatch(sql`true`)},
      claimed as (
        update delivery_lanes l
        set batch_id = ${batchId}, claimed_at = now(), revision = l.revision + 1, batch_attempts = 0,
            batch_delivery_ids = (select array_agg(id order by id) from batch),
            batch_first_sequence = lane.next_sequence,
            next_sequence = lane.next_sequence + (select max(unnumbered) from batch),
            ${advancedFloor(sql`(select min(id) from batch)`)}
        from lane
        where l.destination_id = lane.destination_id and exists (select from batch)
        returning l.target_kind, l.failures, lane.next_sequence as first_sequence
      )
      select claimed.target_kind, claimed.failures, batch.event_id, batch.type,
             coalesce(batch.sequence, claimed.first_sequence + batch.unnumbered - 1) as number
      from claimed, batch order by batch.id`;
}
