import { sql } from 'kysely';
import type { Database } from '../../database/database.js';
import type { LaneStatus } from '../../database/tables.js';
import type { TargetKind } from '../../targets/target.js';

/** Every status of a lane. */
export const laneStatuses: readonly LaneStatus[] = ['healthy', 'retrying', 'misconfigured'];

/** Most pending deliveries that one reading counts, of all lanes: it bounds the cost of a reading. */
const MAX_COUNTED = 100_000;
/** Most pending deliveries that one reading counts of one lane. */
export const MAX_COUNTED_OF_LANE = 10_000;

/** Totals of the lanes with one kind of target and one status. */
export interface LaneTotals {
  readonly targetKind: TargetKind;
  readonly status: LaneStatus;
  readonly lanes: number;
  /** Exact up to 10,000 for each lane and 100,000 in all; a lower bound beyond. */
  readonly pending: number;
  /** Age of the oldest pending delivery, in seconds; 0 when none is pending. */
  readonly oldestSeconds: number;
}

/** Reads totals of lanes for the metrics. */
export class LaneTotalsStore {
  constructor(private readonly db: Database) {}

  /**
   * Costs one index entry for each lane, and at most 100,000 more, which lanes with something pending share equally. No
   * count over `deliveries` is ever whole.
   */
  async read(): Promise<readonly LaneTotals[]> {
    const { rows } = await sql<{
      target_kind: TargetKind;
      status: LaneStatus;
      lanes: number;
      pending: number;
      oldest_seconds: number;
    }>`
      with lane as materialized (
        select l.destination_id, l.target_kind, l.status, first.asked_at
        from delivery_lanes l
        left join lateral (
          select coalesce(redelivered_at, created_at) as asked_at from deliveries
          where destination_id = l.destination_id and state = 'pending'
          order by id limit 1
        ) first on true
      ),
      share as materialized (
        select least(${MAX_COUNTED_OF_LANE}::bigint, greatest(1, ${MAX_COUNTED}::bigint / greatest(1, count(*)))) as most
        from lane where asked_at is not null
      )
      select lane.target_kind, lane.status, count(*)::int as lanes, coalesce(sum(counted.pending), 0)::int as pending,
             coalesce(greatest(0, extract(epoch from now() - min(lane.asked_at))), 0)::float8 as oldest_seconds
      from lane cross join share
      left join lateral (
        -- From the newest: the oldest end of the index has the dead entries of what was just delivered.
        select count(*) as pending from (
          select from deliveries where destination_id = lane.destination_id and state = 'pending'
          order by id desc limit share.most
        ) newest
      ) counted on lane.asked_at is not null
      group by lane.target_kind, lane.status`.execute(this.db);
    return rows.map((row) => ({
      targetKind: row.target_kind,
      status: row.status,
      lanes: row.lanes,
      pending: row.pending,
      oldestSeconds: row.oldest_seconds,
    }));
  }
}
