import { sql } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import { placeholder, PreparedStatement } from '../../database/prepared.js';
import { pairArray } from '../rollups/latency-counts.js';
import { askedLanes, isLaneOf } from './asked-lanes.js';
import { SMALL_BATCH } from './batch-limits.js';
import { deliveryColumns, type BatchRow } from './batch-store.js';
import { hasAdmittedEpoch } from './epoch.js';
import { byId, finishedDeliveries, int8Array, recordedAttempts } from './lane-statements.js';
import type { Lease, Settlement } from './lane.js';
import { leaseColumns, type LeaseRequest, type LeaseRow } from './lease.js';

/** Index of the duration of the leases in `leaseGroupValues`. */
const LEASE_MS = 4;

/** One delivery of a leased batch, with the lease; its own columns are null where the batch has no pending one. */
export type LeasedRow = LeaseRow & { token: string } & (BatchRow | { readonly id: null });

/**
 * Leases the batches of several lanes and reads their deliveries: one row for each delivery, in order. No row for a
 * lane in which anything is unusual: a failure, a large batch, a lock, a lease that lasts, a fence, or a change since
 * the snapshot, which shows the deliveries as they were before.
 */
export const leaseGroupStatement = new PreparedStatement(sql<LeasedRow>`
      with ${askedLanes({ destination_id: 'text[]', batch_id: 'text[]', token: 'text[]' })},
      lane as materialized (
        select asked.destination_id, asked.token
        from asked
        cross join lateral (
          select revision from delivery_lanes
          where destination_id = asked.destination_id and batch_id = asked.batch_id
          limit 1
        ) seen
        cross join lateral (
          select from delivery_lanes
          where destination_id = asked.destination_id and batch_id = asked.batch_id and revision = seen.revision
            and failures = 0 and cardinality(batch_delivery_ids) <= ${sql.lit(SMALL_BATCH)}
            and (resume_at is null or resume_at <= now())
            and (attempt_until is null or attempt_until <= now()) and paused_at is null
            and ${hasAdmittedEpoch('delivery_lanes')}
          for update skip locked
        ) locked
      ),
      granted as (
        update delivery_lanes l
        set attempt_token = lane.token, attempt_until = ${fromNow(placeholder(LEASE_MS))},
            batch_attempts = l.batch_attempts + 1
        from lane
        where l.destination_id = lane.destination_id and ${isLaneOf('lane')}
        returning l.*
      )
      select l.attempt_token as token, r.version, ${leaseColumns},
             d.*
      from granted l
      cross join lateral (select version from resources where id = l.destination_id limit 1) r
      left join lateral (
        select ${deliveryColumns}
        from deliveries d cross join lateral (select * from events where id = d.event_id limit 1) e
        where d.destination_id = l.destination_id and d.id = any(l.batch_delivery_ids) and d.state = 'pending'
        -- The limit keeps the planner from a scan of all pending deliveries, which it prefers while they are few.
        order by d.id limit ${sql.lit(SMALL_BATCH)}
      ) d on true
      order by d.id`);

/**
 * Returns the values of `leaseGroupStatement`.
 * @param leaseMs how long each lease lasts unless it is renewed, in milliseconds
 */
export function leaseGroupValues(requests: readonly LeaseRequest[], leaseMs: number): readonly unknown[] {
  return [
    requests.length,
    requests.map(({ destinationId }) => destinationId),
    requests.map(({ batchId }) => batchId),
    requests.map(({ token }) => token),
    leaseMs,
  ];
}

/** An attempt that delivered every delivery of its batch. */
export interface DeliveredAttempt {
  readonly lease: Lease;
  readonly settlement: Settlement;
}

/** The row of `finishedDeliveries` for each lane. */
const tried = sql`(
        select destination_id, batch_id, attempt, ids, sequences,
               null::text[] as states, null::text[] as codes, null::text[] as messages
        from lane
      ) as tried`;

/** Bounds what the planner may compare with the rows of `tried` by the size of the group, as `isLaneOf` does. */
const isTried = sql`d.destination_id = any(array(select destination_id from lane))
          and d.id = any(array(select unnest(ids) from lane))`;

/**
 * Records attempts of several lanes that delivered every delivery, and frees the lanes: one row for each lane. No row
 * for a lane whose lease was lost, or which another transaction has locked.
 */
export const settleGroupStatement = new PreparedStatement(sql<{ token: string }>`
      with ${askedLanes({
        destination_id: 'text[]',
        batch_id: 'text[]',
        token: 'text[]',
        attempt: 'int[]',
        ids: 'text[]',
        sequences: 'text[]',
        timestamp_ms: 'bigint[]',
        started_at: 'timestamptz[]',
        duration_ms: 'int[]',
        latencies: 'text[]',
      })},
      lane as materialized (
        select asked.destination_id, asked.batch_id, asked.token, asked.attempt, asked.timestamp_ms,
               asked.started_at, asked.duration_ms, asked.ids::bigint[] as ids, asked.sequences::bigint[] as sequences,
               asked.latencies::int[] as latencies
        from asked
        cross join lateral (
          select from delivery_lanes
          where destination_id = asked.destination_id and batch_id = asked.batch_id and attempt_token = asked.token
          for update skip locked
        ) locked
      ),
      freed as (
        update delivery_lanes l
        set batch_id = null, batch_delivery_ids = null, claimed_at = null, attempt_token = null, attempt_until = null,
            revision = l.revision + 1, failures = 0, resume_at = null, status = 'healthy',
            status_since = case when l.status = 'healthy' then l.status_since else now() end,
            latest_timestamp_ms = greatest(l.latest_timestamp_ms, lane.timestamp_ms)
        from lane
        where l.destination_id = lane.destination_id and ${isLaneOf('lane')}
      ),
      ${finishedDeliveries(tried, isTried)},
      attempt as (${recordedAttempts(sql`
        select batch_id, destination_id, attempt, started_at, duration_ms, cardinality(ids), cardinality(ids), 0, 0,
               'healthy', null, null, null::int, latencies, null::jsonb
        from lane`)})
      select token from lane`);

/** Returns the values of `settleGroupStatement`. */
export function settleGroupValues(attempts: readonly DeliveredAttempt[]): readonly unknown[] {
  const delivered = attempts.map(({ settlement }) => byId(settlement.delivered));
  return [
    attempts.length,
    attempts.map(({ lease }) => lease.destinationId),
    attempts.map(({ lease }) => lease.batchId),
    attempts.map(({ lease }) => lease.token),
    attempts.map(({ lease }) => lease.attempt),
    delivered.map((deliveries) => int8Array(deliveries.map(({ id }) => id))),
    delivered.map((deliveries) => int8Array(deliveries.map(({ sequence }) => sequence))),
    attempts.map(({ settlement }) => settlement.latestTimestampMs),
    attempts.map(({ settlement }) => settlement.startedAt),
    attempts.map(({ settlement }) => settlement.durationMs),
    attempts.map(({ settlement }) => pairArray(settlement.latencies)),
  ];
}
