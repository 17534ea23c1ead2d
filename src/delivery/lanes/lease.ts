import { sql, type RawBuilder } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import { placeholder, PreparedStatement } from '../../database/prepared.js';
import type { EarlierEpoch } from '../../database/tables.js';
import type { TargetKind } from '../../targets/target.js';
import { askedLanes, isLaneOf, lockedLane, rowsBy, type LockMode } from './asked-lanes.js';
import { SMALL_BATCH } from './batch-limits.js';
import { deliveryColumns, prefetchedDeliveries, type BatchRow, type PrefetchedDeliveries } from './batch-store.js';
import { hasAdmittedEpoch } from './epoch.js';
import type { Lease } from './lane.js';
import { endedPauses, pausesColumn, type PauseAges } from './pauses.js';

/** A batch whose lease is requested, with the token that the lease gets. */
export interface LeaseRequest {
  readonly destinationId: string;
  readonly batchId: string;
  readonly token: string;
  /** The backoff that a failing lane gets instead of the lease, in milliseconds; null: it gets the lease. */
  readonly failingWaitMs: number | null;
}

/** What a granted lease is read from. */
interface LeaseRow {
  token: string;
  /** Whether the lane has got a backoff instead. */
  backs_off: boolean;
  /** Whether the deliveries were read, too. */
  is_read: boolean;
  account_id: string;
  target_kind: TargetKind;
  version: number;
  delivery_ids: string;
  batch_first_sequence: number;
  batch_attempts: number;
  failures: number;
  resume_at: string | null;
  epoch: number;
  epoch_first_sequence: number;
  earlier_epochs: EarlierEpoch[] | null;
  latest_timestamp_ms: number | null;
  projected: boolean;
  pauses: PauseAges | null;
}

/** A lease, with one delivery of its batch where they are read; `id` is null in the only row of a batch without any. */
type LeasedRow = LeaseRow & (BatchRow | { readonly id?: null });

/** A granted lease, or the backoff that a failing lane has got instead. */
export type LoadedLease =
  | {
      readonly kind: 'granted';
      readonly lease: Lease;
      /** The deliveries of the batch; null when they were not read. */
      readonly deliveries: PrefetchedDeliveries | null;
    }
  | { readonly kind: 'backed_off' };

/** The response to a request for a lease. */
export type Grant =
  | LoadedLease
  /** The lane is paused or in backoff, or another attempt holds the lease: to be requested again after the delay. */
  | { readonly kind: 'later'; readonly delayMs: number }
  /** The lane has another batch or none, or its destination was deleted: the job has nothing to do. */
  | { readonly kind: 'void' };

/** Index of the duration of the leases in `leaseValues`. */
const LEASE_MS = 5;

/** The end of a lease that reads the deliveries. */
const readDeliveries = sql`
      left join lateral (
        select ${deliveryColumns}
        from deliveries d cross join lateral (select * from events where id = d.event_id limit 1) e
        where l.is_read and d.destination_id = l.destination_id and d.id = any(l.batch_delivery_ids)
          and d.state = 'pending'
        -- The limit keeps the planner from a scan of all pending deliveries, which it prefers while they are few.
        order by d.id limit ${sql.lit(SMALL_BATCH)}
      ) d on true
      order by d.id`;

/**
 * Leases the batches of lanes: one row for each lane. No row for a lane that is paused, fenced, leased, in backoff or
 * without this batch; and for one that another transaction has locked, when locks are skipped.
 *
 * When locks are skipped, it also reads the deliveries of small batches, with one row for each, in order. It reads by
 * its snapshot. Where the lane was changed since then, it reads none: the snapshot shows them without the numbers that
 * they have now. Nor does it in a lane that fails: its deliveries may be what cannot be read.
 */
export function leaseStatement(mode: LockMode): PreparedStatement<LeasedRow> {
  const reads = mode === 'skips';
  return new PreparedStatement(sql<LeasedRow>`
      with ${askedLanes({ destination_id: 'text[]', batch_id: 'text[]', token: 'text[]', failing_wait_ms: 'float8[]' })},
      lane as materialized (
        select asked.destination_id, asked.token, asked.failing_wait_ms, locked.backs_off,
               ${reads ? sql`locked.is_readable and locked.revision = seen.revision` : sql`false`} as is_read
        from asked
        cross join lateral (
          select revision from delivery_lanes
          where destination_id = asked.destination_id and batch_id = asked.batch_id
          limit 1
        ) seen
        cross join lateral (
          select revision, failures > 0 and asked.failing_wait_ms is not null as backs_off,
                 failures = 0 and cardinality(batch_delivery_ids) <= ${sql.lit(SMALL_BATCH)} as is_readable
          from delivery_lanes
          where destination_id = asked.destination_id and batch_id = asked.batch_id
            and (resume_at is null or resume_at <= now())
            and (attempt_until is null or attempt_until <= now()) and paused_at is null
            and ${hasAdmittedEpoch('delivery_lanes')}
          ${lockedLane(mode)}
        ) locked
      ),
      granted as (
        update delivery_lanes l
        set attempt_token = case when not lane.backs_off then lane.token end,
            attempt_until = case when not lane.backs_off then ${fromNow(placeholder(LEASE_MS))} end,
            batch_attempts = l.batch_attempts + (not lane.backs_off)::int,
            resume_at = case when lane.backs_off then ${fromNow(sql`lane.failing_wait_ms`)} else l.resume_at end
        from lane
        where l.destination_id = lane.destination_id and ${isLaneOf('lane')}
        returning l.*, lane.token, lane.backs_off, lane.is_read
      )
      select l.token, l.backs_off, l.is_read, l.account_id, l.target_kind, r.version,
             l.batch_delivery_ids::text as delivery_ids, l.batch_first_sequence, l.batch_attempts, l.failures,
             l.resume_at::text as resume_at, l.epoch, l.epoch_first_sequence, l.earlier_epochs, l.latest_timestamp_ms,
             l.projected, ${pausesColumn}${reads ? sql`, d.*` : sql``}
      from granted l
      cross join lateral (select version from resources where id = l.destination_id limit 1) r
      ${reads ? readDeliveries : sql``}`);
}

/**
 * Returns the values of a `leaseStatement`.
 * @param leaseMs how long each lease lasts unless it is renewed, in milliseconds
 */
export function leaseValues(requests: readonly LeaseRequest[], leaseMs: number): readonly unknown[] {
  return [
    requests.length,
    requests.map(({ destinationId }) => destinationId),
    requests.map(({ batchId }) => batchId),
    requests.map(({ token }) => token),
    requests.map(({ failingWaitMs }) => failingWaitMs),
    leaseMs,
  ];
}

/**
 * Returns for each request, in order: its lease or backoff; null where there is none.
 * @param readAt when the rows were read, by `performance.now()`
 */
export function loadedLeases(
  requests: readonly LeaseRequest[],
  rows: readonly LeasedRow[],
  readAt: number,
): readonly (LoadedLease | null)[] {
  const byToken = rowsBy(rows, ({ token }) => token);
  return requests.map((request) => {
    const leased = byToken.get(request.token);
    const [first] = leased ?? [];
    if (!leased || !first) return null;
    if (first.backs_off) return { kind: 'backed_off' };
    const deliveries = first.is_read ? prefetchedDeliveries(leased.filter(hasDelivery), readAt) : null;
    return { kind: 'granted', lease: leaseOf(request, first), deliveries };
  });
}

function hasDelivery(row: LeasedRow): row is LeaseRow & BatchRow {
  return row.id != null;
}

function leaseOf({ destinationId, batchId, token }: LeaseRequest, row: LeaseRow): Lease {
  return {
    destinationId,
    batchId,
    token,
    accountId: row.account_id,
    targetKind: row.target_kind,
    version: row.version,
    deliveryIds: row.delivery_ids,
    firstSequence: row.batch_first_sequence,
    epochs: { epoch: row.epoch, firstSequence: row.epoch_first_sequence, earlier: row.earlier_epochs },
    attempt: row.batch_attempts,
    failures: row.failures,
    resumeAt: row.resume_at,
    latestTimestampMs: row.latest_timestamp_ms ?? 0,
    projected: row.projected,
    pauses: endedPauses(row.pauses),
    behindFrom: null,
  };
}

/**
 * Whether the lane was resumed since the lease was granted, so that no backoff starts: part of an update of the lane.
 */
export function resumedSince(lease: Lease): RawBuilder<boolean> {
  return sql<boolean>`resume_at is distinct from ${lease.resumeAt}::timestamptz`;
}
