import { sql, type RawBuilder } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import { placeholder, PreparedStatement } from '../../database/prepared.js';
import { isLaneOf } from './asked-lanes.js';
import { nextBatch } from './claim-statement.js';
import { admittedEpoch } from './epoch.js';
import { advancedFloor } from './floor.js';
import type { Lease, NextBatchIds } from './lane.js';
import { askedAttempts, attemptValues, recordedAttempts, storableJson, type EndedAttempt } from './settle-statement.js';

/** What an advance does in a lane. One of `recorded` and `next` is there at least. */
export interface Advance {
  /** An attempt whose batch is complete, and whose destination is healthy; null: none is recorded. */
  readonly recorded: EndedAttempt | null;
  /** The attempt that is being made, at the batch behind that one. Null: the lease passes to `next`, or ends. */
  readonly current: Lease | null;
  /** The batch that is claimed behind both, and the token of its lease; null: none is. */
  readonly next: NextBatchIds | null;
}

/** A lane that was advanced: the batch that was claimed, without ids when none was. */
interface AdvancedRow {
  destination_id: string;
  delivery_ids: string | null;
  first_sequence: number;
  version: number;
  resume_at: string | null;
  projected: boolean;
}

/** The columns of `asked` beside those of the attempt to record. */
const columns = {
  current_batch_id: 'text',
  current_ids: 'bigint[]',
  current_first_sequence: 'bigint',
  current_attempt: 'int',
  next_batch_id: 'text',
  next_token: 'text',
  /** The deliveries of the lane's batches, which are not claimed again. */
  held_ids: 'bigint[]',
};

/** Index of the duration of the leases in `advanceValues`. */
const LEASE_MS = 2;

/**
 * Records an attempt in each lane, keeps the lease on the batch that is being sent, and claims the batch behind it: one
 * row for each lane. No row for a lane whose lease was lost; nor for one in which nothing is to be recorded and no
 * delivery waits: nothing is written there. Without a batch that is being sent, the claimed one gets a lease, and the
 * lane is freed when no delivery waits.
 *
 * The revision is not compared: while the lease lasts, no other process settles deliveries of the lane.
 * @param limits the table of `limitsTable`
 */
export function advanceStatement(limits: RawBuilder<unknown>): PreparedStatement<AdvancedRow> {
  const isRecorded = sql`next.attempt is not null`;
  const isClaimed = sql`next.claimed_ids is not null`;
  const isCurrent = sql`next.current_batch_id is not null`;
  return new PreparedStatement(sql<AdvancedRow>`
      with ${askedAttempts(columns)},
      lane as materialized (
        select asked.*, locked.first_number, locked.floor_id, locked.scans,
               limits.records, limits.batch_bytes, limits.overhead, limits.expansion
        from asked
        cross join lateral (
          select target_kind, floor_id, coalesce(asked.next_sequence, next_sequence) as first_number,
                 asked.next_batch_id is not null and epoch = ${admittedEpoch} and paused_at is null as scans
          from delivery_lanes
          where destination_id = asked.destination_id and batch_id = asked.batch_id and attempt_token = asked.token
            -- A standby that was promoted may lack the claim of the current batch, and so the count of its numbers.
            and (asked.current_ids is null or asked.current_ids[1] = any(batch_delivery_ids))
          for update
        ) locked
        join ${limits} on limits.kind = locked.target_kind
      ),
      ${nextBatch(sql`id > lane.floor_id and lane.scans and id not in (select unnest(held_ids) from asked)`)},
      next as materialized (
        select lane.*, waiting.first_id, waiting.claimed_ids,
               case when waiting.claimed_ids is not null then waiting.unnumbered else 0 end as numbers
        from lane
        cross join lateral (
          -- Nothing is claimed while a delivery before the current batch waits, which was committed late: the deliveries
          -- of a batch get their numbers in the order of their ids, also when it is read again after a crash.
          select min(id) as first_id, max(unnumbered) as unnumbered,
                 case when lane.current_ids is null or min(id) > lane.current_ids[cardinality(lane.current_ids)]
                      then array_agg(id order by id) end as claimed_ids
          from batch where batch.destination_id = lane.destination_id
        ) waiting
      ),
      advanced as (
        update delivery_lanes l
        set batch_id = coalesce(next.current_batch_id, case when ${isClaimed} then next.next_batch_id end),
            batch_delivery_ids = next.current_ids || next.claimed_ids,
            batch_first_sequence = coalesce(next.current_first_sequence, next.first_number),
            next_sequence = next.first_number + next.numbers,
            -- Only a scan may move the floor. What is being sent is pending as well.
            ${advancedFloor(sql`case when next.scans then least(next.current_ids[1], next.first_id) end`)},
            claimed_at = case when ${isCurrent} or ${isClaimed} then now() end,
            attempt_token = case when ${isCurrent} then l.attempt_token when ${isClaimed} then next.next_token end,
            attempt_until = case when ${isCurrent} or ${isClaimed} then ${fromNow(placeholder(LEASE_MS))} end,
            batch_attempts = coalesce(next.current_attempt, (${isClaimed})::int),
            revision = l.revision + 1,
            failures = case when ${isRecorded} then 0 else l.failures end,
            status = case when ${isRecorded} then 'healthy' else l.status end,
            status_since = case when ${isRecorded} and l.status <> 'healthy' then now() else l.status_since end,
            -- It tells the attempt that is being made whether the lane was resumed.
            resume_at = case when ${isCurrent} then l.resume_at end,
            last_error_code = coalesce(next.error_code, l.last_error_code),
            last_error_message = coalesce(next.error_message, l.last_error_message),
            last_error_at = case when next.error_code is null then l.last_error_at else now() end,
            latest_timestamp_ms = greatest(l.latest_timestamp_ms, next.latest_timestamp_ms)
        from next, resources r
        where l.destination_id = next.destination_id and ${isLaneOf('next')} and r.id = next.destination_id
          and (${isRecorded} or ${isClaimed})
        returning l.destination_id, next.claimed_ids::text as delivery_ids, next.first_number as first_sequence,
                  r.version, l.resume_at::text as resume_at, l.projected
      ),
      ${recordedAttempts}
      select destination_id, delivery_ids, first_sequence, version, resume_at, projected from advanced`);
}

/**
 * Returns the values of an `advanceStatement`.
 * @param leaseMs how long each lease lasts from now unless it is renewed, in milliseconds
 */
export function advanceValues(advances: readonly Advance[], leaseMs: number): readonly unknown[] {
  return [advances.length, advances.map((advance) => storableJson(valuesOf(advance))), leaseMs];
}

function valuesOf({ recorded, current, next }: Advance): Readonly<Record<string, unknown>> {
  const lease = recorded?.lease ?? current;
  if (!lease) throw new Error('an advance records an attempt or claims behind one');
  const attempt = recorded
    ? attemptValues(recorded)
    : { destination_id: lease.destinationId, batch_id: lease.batchId, token: lease.token };
  return {
    ...attempt,
    current_batch_id: current?.batchId,
    current_ids: current?.deliveryIds,
    current_first_sequence: current?.firstSequence,
    current_attempt: current?.attempt,
    next_batch_id: next?.batchId,
    next_token: next?.token,
    held_ids: recorded && current ? joined(recorded.lease.deliveryIds, current.deliveryIds) : lease.deliveryIds,
  };
}

/** Returns one array of two in Postgres's notation, neither of which is empty. */
function joined(first: string, second: string): string {
  return `${first.slice(0, -1)},${second.slice(1)}`;
}

/**
 * Returns the lease on the batch that was claimed; null when none was.
 * @param advance what was asked of the lane
 */
export function leaseAfter({ recorded, current, next }: Advance, row: AdvancedRow): Lease | null {
  const lease = current ?? recorded?.lease;
  if (!lease || next === null || row.delivery_ids === null) return null;
  return {
    ...lease,
    ...next,
    deliveryIds: row.delivery_ids,
    firstSequence: row.first_sequence,
    version: row.version,
    resumeAt: row.resume_at,
    projected: row.projected,
    attempt: 1,
    failures: 0,
    latestTimestampMs: (current ? null : recorded?.settlement.latestTimestampMs) ?? lease.latestTimestampMs,
    behindFrom: null,
  };
}
