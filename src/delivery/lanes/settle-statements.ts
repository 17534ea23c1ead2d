import { sql, type RawBuilder } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import { admittedEpoch } from './epoch.js';
import { advancedFloor } from './floor.js';
import { int8Array, nextBatch, recording, resumedSince } from './lane-statements.js';
import type { Lease, NextBatchIds, Settlement } from './lane.js';

/**
 * Records an attempt, and frees the lane or keeps the rest of its batch: one row, with whether the lane backs off; no
 * row when the lease was lost (`LaneStore.settle`).
 */
export function settleStatement(lease: Lease, settlement: Settlement): RawBuilder<{ backs_off: boolean }> {
  const { undelivered, error, status } = settlement;
  const kept = undelivered.filter(({ state }) => state === 'pending');
  const keptIds = kept.length > 0 && !settlement.freesLane ? int8Array(kept.map(({ id }) => id)) : null;
  const resumed = resumedSince(lease);
  return sql<{ backs_off: boolean }>`
      with lane as (
        update delivery_lanes
        set batch_id = case when ${keptIds}::bigint[] is null then null else batch_id end,
            batch_delivery_ids = ${keptIds}::bigint[],
            claimed_at = case when ${keptIds}::bigint[] is null then null else claimed_at end,
            attempt_token = null, attempt_until = null, revision = revision + 1,
            next_sequence = coalesce(${settlement.nextSequence ?? lease.behindFrom}::bigint, next_sequence),
            failures = case when ${status}::text is null then failures
                            when ${resumed} then least(${settlement.failures}::int, 1) else ${settlement.failures}::int end,
            status = coalesce(${status}, status),
            status_since = case when status = coalesce(${status}, status) then status_since else now() end,
            resume_at = case when ${resumed} then null else now() + ${settlement.delayMs}::float8 * interval '1 millisecond' end,
            last_error_code = coalesce(${error?.code ?? null}, last_error_code),
            last_error_message = coalesce(${error?.message ?? null}, last_error_message),
            last_error_at = case when ${error !== null} then now() else last_error_at end,
            latest_timestamp_ms = greatest(latest_timestamp_ms, ${settlement.latestTimestampMs}::bigint)
        where destination_id = ${lease.destinationId} and batch_id = ${lease.batchId} and attempt_token = ${lease.token}
        returning destination_id, resume_at is not null as backs_off
      ),
      ${recording(lease, settlement)}
      select backs_off from lane`;
}

/** The batch that was claimed; without ids when no delivery waited. */
export interface NextBatchRow {
  delivery_ids: string | null;
  first_sequence: number;
  version: number;
  projected: boolean;
}

/**
 * Records an attempt whose batch is complete, and claims the lane's next batch with its lease: one row; none when the
 * lease was lost (`LaneStore.settleAndClaimNext`).
 * @param limits the table of `limitsTable`
 */
export function settleAndClaimStatement(
  limits: RawBuilder<unknown>,
  lease: Lease,
  settlement: Settlement,
  next: NextBatchIds,
  leaseMs: number,
): RawBuilder<NextBatchRow> {
  const { error } = settlement;
  return sql<NextBatchRow>`
      with lane as materialized (
        select l.destination_id, coalesce(${lease.behindFrom}::bigint, l.next_sequence) as next_sequence,
               l.epoch, l.floor_id, l.paused_at,
               limits.records, limits.batch_bytes, limits.overhead, limits.expansion
        from delivery_lanes l join ${limits} on limits.kind = l.target_kind
        where l.destination_id = ${lease.destinationId} and l.batch_id = ${lease.batchId} and l.attempt_token = ${lease.token}
        for update of l
      ),
      ${nextBatch(sql`id > lane.floor_id and lane.epoch = ${admittedEpoch} and lane.paused_at is null
            and id not in (select unnest(${lease.deliveryIds}::bigint[]))`)},
      taken as materialized (
        select array_agg(id order by id) as ids, max(unnumbered) as unnumbered, count(*) > 0 as found, min(id) as first
        from batch
      ),
      released as (
        update delivery_lanes l
        set batch_id = case when taken.found then ${next.batchId} end,
            batch_delivery_ids = taken.ids,
            batch_first_sequence = lane.next_sequence,
            next_sequence = lane.next_sequence + coalesce(taken.unnumbered, 0),
            ${advancedFloor(sql`taken.first`)},
            claimed_at = case when taken.found then now() end,
            attempt_token = case when taken.found then ${next.token} end,
            attempt_until = case when taken.found then ${fromNow(leaseMs)} end,
            batch_attempts = case when taken.found then 1 else 0 end,
            revision = l.revision + 1, failures = 0, resume_at = null, status = 'healthy',
            status_since = case when l.status = 'healthy' then l.status_since else now() end,
            last_error_code = coalesce(${error?.code ?? null}, l.last_error_code),
            last_error_message = coalesce(${error?.message ?? null}, l.last_error_message),
            last_error_at = case when ${error !== null} then now() else l.last_error_at end,
            latest_timestamp_ms = greatest(l.latest_timestamp_ms, ${settlement.latestTimestampMs}::bigint)
        from lane, taken, resources r
        where l.destination_id = lane.destination_id and r.id = lane.destination_id
        returning l.batch_delivery_ids::text as delivery_ids, l.batch_first_sequence as first_sequence, r.version,
                  l.projected
      ),
      ${recording(lease, settlement)}
      select delivery_ids, first_sequence, version, projected from released`;
}
