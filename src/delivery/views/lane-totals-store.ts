import { sql } from 'kysely';
import type { Database } from '../../database/database.js';
import type { LaneStatus } from '../../database/tables.js';
import type { TargetKind } from '../../targets/target.js';

/** Every status of a lane. */
export const laneStatuses: readonly LaneStatus[] = ['healthy', 'retrying', 'misconfigured'];

/** Pending deliveries that one reading counts at most, of all lanes: what it costs, however many there are. */
const MOST_COUNTED = 100_000;
/** Pending deliveries that one reading counts at most of one lane. */
export const MOST_COUNTED_OF_LANE = 10_000;

/** All lanes of one kind of target and one status together. */
export interface LaneTotals {
  readonly targetKind: TargetKind;
  readonly status: LaneStatus;
  readonly lanes: number;
  /** Exact up to 10,000 for each lane and 100,000 in all; a lower bound beyond. */
  readonly pending: number;
  /** Since the change of the first delivery that waits, in whichever lane that is longest ago; 0 when nothing waits. */
  readonly oldestSeconds: number;
}

/** Sums lanes up for the metrics. */
export class LaneTotalsStore {
  constructor(private readonly db: Database) {}

  /**
   * Costs one index entry for each lane, and at most 100,000 more, which lanes with something pending share equally. No count
   * over `deliveries` is ever whole.
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
        select least(${MOST_COUNTED_OF_LANE}::bigint, greatest(1, ${MOST_COUNTED}::bigint / greatest(1, count(*)))) as most
        from lane where asked_at is not null
      )
      select lane.target_kind, lane.status, count(*)::int as lanes, coalesce(sum(counted.pending), 0)::int as pending,
             coalesce(greatest(0, extract(epoch from now() - min(lane.asked_at))), 0)::float8 as oldest_seconds
      from lane cross join share
      left join lateral (
        -- From the newest: at the other end lie the dead entries of what was delivered just now.
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
