import { sql } from 'kysely';
import { laterByRanges } from '../database/database-time.js';
import type { Database } from '../database/database.js';
import { joinFirstPending } from '../delivery/lanes/first-pending.js';
import { laneState, type LaneState } from '../delivery/lanes/lane-state.js';
import type { TargetKind } from '../targets/target.js';

/** Lanes of one page. */
const PAGE_SIZE = 2_000;

/** Most pending deliveries that are counted of one lane. */
export const MAX_COUNTED_OF_LANE = 10_000;
/** Most pending deliveries that are counted of one page, which its lanes with pending deliveries share equally. */
const MAX_COUNTED_OF_PAGE = 10_000;
/** The same where one page holds every lane. */
const MAX_COUNTED_OF_ALL = 100_000;

/** Pending deliveries of a lane that are read for its age after a redelivery. */
const MOST_READ_OF_LANE = 10;

/** Totals of the lanes with one kind of target and one state, muted or not. */
export interface LaneTotals {
  readonly targetKind: TargetKind;
  readonly state: LaneState;
  readonly isMuted: boolean;
  readonly lanes: number;
  /** Exact unless `MAX_COUNTED_…` was reached; then a lower bound. */
  readonly pending: number;
  /** Age of the oldest pending delivery, without the pauses that have ended, in seconds; 0 when none is pending. */
  readonly oldestSeconds: number;
}

/** The totals of one page of lanes. */
export interface LaneTotalsPage {
  readonly totals: readonly LaneTotals[];
  /** The last lane of the page; null when no lane follows. */
  readonly next: string | null;
}

/** Reads totals of lanes for the metrics. */
export class LaneTotalsStore {
  constructor(private readonly db: Database) {}

  /**
   * Returns the totals of the next page of lanes, in the order of their ids. It costs one index entry for each lane,
   * and a bounded number more: no count over `deliveries` is ever whole.
   * @param after only lanes behind this id
   */
  async page(after: string, size: number = PAGE_SIZE): Promise<LaneTotalsPage> {
    const { rows } = await sql<LaneTotals & { readonly last: string | null; readonly visited: number }>`
      with page as materialized (
        select l.destination_id, l.target_kind, ${laneState} as state, l.floor_id,
               ${laterByRanges(sql`first.asked_at`, sql`l.pauses`)} as asked_at,
               coalesce(l.muted_until > now(), false) as muted
        from (select * from delivery_lanes where destination_id > ${after} order by destination_id limit ${size}) l
        ${joinFirstPending(MOST_READ_OF_LANE)}
      ),
      visited as materialized (
        select max(destination_id) as last, count(*)::int as lanes, count(asked_at) as waiting from page
      ),
      share as materialized (
        select least(${MAX_COUNTED_OF_LANE}::bigint, greatest(1,
                 case when ${after}::text = '' and lanes < ${size} then ${MAX_COUNTED_OF_ALL}::bigint
                      else ${MAX_COUNTED_OF_PAGE}::bigint end / greatest(1, waiting))) as most
        from visited
      )
      select visited.last, visited.lanes as visited, page.target_kind as "targetKind", page.state, page.muted as "isMuted",
             count(*)::int as lanes,
             coalesce(sum(counted.pending), 0)::int as pending,
             coalesce(greatest(0, extract(epoch from now() - min(page.asked_at))), 0)::float8 as "oldestSeconds"
      from page cross join share cross join visited
      left join lateral (
        select count(*) as pending from (
          select from deliveries
          where destination_id = page.destination_id and state = 'pending' and id > page.floor_id
          order by id limit share.most
        ) oldest
      ) counted on page.asked_at is not null
      group by visited.last, visited.lanes, page.target_kind, page.state, page.muted`.execute(this.db);
    const [first] = rows;
    return { next: first && first.visited === size ? first.last : null, totals: rows };
  }
}
