import { sql, type RawBuilder } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import { placeholder, PreparedStatement } from '../../database/prepared.js';
import { pairArray } from '../rollups/latency-counts.js';
import { admittedEpoch } from './epoch.js';
import { advancedFloor } from './floor.js';
import type { DeliveredAttempt } from './group-statements.js';
import { byId, finishedDeliveries, int8Array, nextBatch, recordedAttempts } from './lane-statements.js';
import type { Lease } from './lane.js';

/** The batch behind the one that is sent; without ids when none was claimed. */
export interface AdvancedRow {
  delivery_ids: string | null;
  first_sequence: number;
  version: number;
  resume_at: string | null;
  projected: boolean;
}

/** An advance of a lane: see `AheadStore.advance`. */
export type AdvanceStatement = PreparedStatement<AdvancedRow>;

/** The values of an advance, by their index in `advanceValues`. */
const value = {
  destinationId: sql`${placeholder(0)}::text`,
  fencedBatchId: sql`${placeholder(1)}::text`,
  token: sql`${placeholder(2)}::text`,
  heldIds: sql`${placeholder(3)}::bigint[]`,
  claims: sql`${placeholder(4)}::boolean`,
  batchId: sql`${placeholder(5)}::text`,
  deliveryIds: sql`${placeholder(6)}::bigint[]`,
  firstSequence: sql`${placeholder(7)}::bigint`,
  attempt: sql`${placeholder(8)}::int`,
  leaseMs: placeholder(9),
  ids: sql`${placeholder(10)}::bigint[]`,
  sequences: sql`${placeholder(11)}::bigint[]`,
  recordedAttempt: sql`${placeholder(12)}::int`,
  timestampMs: sql`${placeholder(13)}::bigint`,
  startedAt: sql`${placeholder(14)}::timestamptz`,
  durationMs: sql`${placeholder(15)}::int`,
  latencies: sql`${placeholder(16)}::int[]`,
};

/** Whether an advance reads the pending deliveries. */
const scans = sql`(${value.claims} and lane.epoch = ${admittedEpoch} and lane.paused_at is null)`;

/**
 * Claims the next batch of a lane behind the one that is sent, and keeps the lease: one row. No row when the lease was
 * lost.
 * @param limits the table of `limitsTable`
 * @param records whether the attempt before the one that is sent is recorded as well; otherwise nothing is written, and
 * there is no row either, when no delivery waits
 */
export function advanceStatement(limits: RawBuilder<unknown>, records: boolean): AdvanceStatement {
  return new PreparedStatement(sql<AdvancedRow>`
      with lane as materialized (
        select l.destination_id, l.next_sequence, l.epoch, l.floor_id, l.paused_at,
               limits.records, limits.batch_bytes, limits.overhead, limits.expansion
        from delivery_lanes l join ${limits} on limits.kind = l.target_kind
        where l.destination_id = ${value.destinationId} and l.batch_id = ${value.fencedBatchId}
          and l.attempt_token = ${value.token}
        for update of l
      ),
      ${nextBatch(sql`id > lane.floor_id and ${scans} and id not in (select unnest(${value.heldIds}))`)},
      taken as materialized (
        -- Nothing is taken while a delivery before the batch waits, which was committed late: the deliveries of a batch
        -- get their numbers in the order of their ids, also when it is read again after a crash.
        select array_agg(id order by id) as ids, max(unnumbered) as unnumbered,
               (select min(id) from batch) as first
        from batch
        where (select min(id) from batch) > (${value.deliveryIds})[cardinality(${value.deliveryIds})]
      ),
      advanced as (
        update delivery_lanes l
        set batch_id = ${value.batchId},
            batch_delivery_ids = ${value.deliveryIds} || taken.ids,
            batch_first_sequence = ${value.firstSequence},
            next_sequence = lane.next_sequence + coalesce(taken.unnumbered, 0),
            -- Only a scan may move the floor. What is being sent is pending as well.
            ${advancedFloor(sql`case when ${scans} then least((${value.deliveryIds})[1], taken.first) end`)},
            claimed_at = now(), attempt_until = ${fromNow(value.leaseMs)}, batch_attempts = ${value.attempt},
            revision = l.revision + 1${records ? healthy : sql``}
        from lane, taken, resources r
        where l.destination_id = lane.destination_id and r.id = lane.destination_id
          ${records ? sql`` : sql`and taken.ids is not null`}
        returning taken.ids::text as delivery_ids, lane.next_sequence as first_sequence, r.version,
                  l.resume_at::text as resume_at, l.projected
      )
      ${records ? recording : sql``}
      select delivery_ids, first_sequence, version, resume_at, projected from advanced`);
}

/**
 * Assignments for an attempt that delivered everything. They leave `resume_at`: it tells the attempt that is made now
 * whether the lane was resumed.
 */
const healthy = sql`, failures = 0, status = 'healthy',
            status_since = case when l.status = 'healthy' then l.status_since else now() end,
            latest_timestamp_ms = greatest(l.latest_timestamp_ms, ${value.timestampMs})`;

/** The row of `finishedDeliveries` for the recorded attempt. */
const tried = sql`lane, (
        select ${value.destinationId} as destination_id, ${value.fencedBatchId} as batch_id,
               ${value.recordedAttempt} as attempt, ${value.ids} as ids, ${value.sequences} as sequences,
               null::text[] as states, null::text[] as codes, null::text[] as messages
      ) as tried`;

const recording = sql`,
      ${finishedDeliveries(tried)},
      attempt as (${recordedAttempts(sql`
        select ${value.fencedBatchId}, destination_id, ${value.recordedAttempt}, ${value.startedAt}, ${value.durationMs},
               cardinality(${value.ids}), cardinality(${value.ids}), 0, 0, 'healthy', null, null, null::int,
               ${value.latencies}, null::jsonb
        from lane`)})`;

/**
 * Returns the values of an advance.
 * @param current the attempt that is being made
 * @param delivered the attempt to record; null in a statement that records none
 * @param claims whether to claim the next batch
 * @param leaseMs how long the lease lasts from now unless it is renewed, in milliseconds
 */
export function advanceValues(
  current: Lease,
  delivered: DeliveredAttempt | null,
  claims: boolean,
  leaseMs: number,
): readonly unknown[] {
  const recorded = byId(delivered?.settlement.delivered ?? []);
  const ids = recorded.map(({ id }) => id);
  const held = delivered ? `{${ids.join(',')},${current.deliveryIds.slice(1)}` : current.deliveryIds;
  const settlement = delivered?.settlement;
  return [
    current.destinationId,
    delivered?.lease.batchId ?? current.batchId,
    current.token,
    held,
    claims,
    current.batchId,
    current.deliveryIds,
    current.firstSequence,
    current.attempt,
    leaseMs,
    int8Array(ids),
    int8Array(recorded.map(({ sequence }) => sequence)),
    delivered?.lease.attempt,
    settlement?.latestTimestampMs ?? null,
    settlement?.startedAt,
    settlement?.durationMs,
    pairArray(settlement?.latencies ?? []),
  ];
}
