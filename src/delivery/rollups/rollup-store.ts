import { sql, type RawBuilder } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import type { Database, Transaction } from '../../database/database.js';

const DAY_MS = 86_400_000;

/** How long the metrics of destinations are kept, in days. */
export const METRICS_DAYS = 30;

/** Returns since when the metrics of destinations are kept. @param now in milliseconds */
export function metricsKeptSince(now: number): Date {
  return new Date(now - METRICS_DAYS * DAY_MS);
}

/** An hour more: of the oldest hour that a reader asks for, nothing is missing. */
const KEPT_MS = METRICS_DAYS * DAY_MS + 3_600_000;

/** The tables of roll-ups, with the time that a row stands for. */
const rollups = { destination_minutes: '1 minute', destination_hours: '1 hour' } as const;

/** The table of one step of metrics. */
export type RollupTable = keyof typeof rollups;

/** The result of one page. */
export interface RolledUpPage {
  /** Attempts of the page. */
  readonly attempts: number;
  /** Whether all that was proposed is rolled up now. */
  readonly isDone: boolean;
}

interface Position {
  counted_id: number;
  next_id: number | null;
  may_count: boolean;
}

interface PageRow {
  last: number | null;
  attempts: number;
  expiries: number;
}

/**
 * Rolls up recorded attempts by destination, minute and hour. The position and the roll-ups are written in one
 * transaction, so each attempt is counted once. docs/decisions/destinations.md has the argument.
 */
export class RollupStore {
  constructor(private readonly db: Database) {}

  /**
   * Proposes to roll up all attempts that have an id now, unless an earlier proposal is open. A transaction that drew
   * one of these ids may commit later. It has a transaction id since then, which is lower than that of the proposal.
   */
  async propose(): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      // In a statement of its own, and without a lock: the ids are drawn before this transaction gets its own id.
      const { rows } = await sql<{ id: number }>`
        select coalesce(pg_sequence_last_value(pg_get_serial_sequence('delivery_attempts', 'id')::regclass), 0) as id`.execute(
        trx,
      );
      // A transaction id from the future was written in another cluster, before a logical restore.
      await sql`
        update attempt_rollup
        set next_id = ${rows[0]?.id ?? 0}::bigint, next_xid = pg_current_xact_id(), next_at = now()
        where next_id is null or next_xid >= pg_snapshot_xmax(pg_current_snapshot())`.execute(trx);
    });
  }

  /**
   * Rolls up the next page of what was proposed. Null when there is no proposal, or while a transaction runs that may
   * still commit an attempt of it.
   * @param size most attempts of the page
   */
  async rollUp(size: number): Promise<RolledUpPage | null> {
    return this.db.transaction().execute(async (trx) => {
      const { rows } = await sql<Position>`
        select counted_id, next_id, next_xid < pg_snapshot_xmin(pg_current_snapshot()) as may_count
        from attempt_rollup for update`.execute(trx);
      const [position] = rows;
      if (!position || position.next_id === null || !position.may_count) return null;
      const page = await rollUpPage(trx, position.counted_id, position.next_id, size);
      const isDone = page.attempts < size && page.expiries < size;
      await (
        isDone
          ? sql`
            update attempt_rollup
            set counted_id = greatest(counted_id, next_id), complete_until = greatest(complete_until, next_at),
                next_id = null, next_xid = null, next_at = null`
          : sql`update attempt_rollup set counted_id = ${page.last ?? position.counted_id}::bigint`
      ).execute(trx);
      return { attempts: page.attempts, isDone };
    });
  }

  /** Removes roll-ups that are older than METRICS_DAYS, and returns how many: at most `size` of each table. */
  async prune(size: number): Promise<number> {
    let removed = 0;
    for (const table of Object.keys(rollups)) {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)}
        where (destination_id, begins_at) in (
          select destination_id, begins_at from ${sql.table(table)}
          where begins_at < ${fromNow(-KEPT_MS)} order by begins_at limit ${size}
        )`.execute(this.db);
      removed += Number(numAffectedRows ?? 0n);
    }
    return removed;
  }
}

async function rollUpPage(trx: Transaction, after: number, upTo: number, size: number): Promise<PageRow> {
  const { rows } = await sql<PageRow>`
    with page as materialized (
      select id, destination_id, recorded_at, records, delivered, retried, rejected, latencies, rejections
      from delivery_attempts where id > ${after} and id <= ${upTo} order by id limit ${size}
    ),
    unreported as (
      insert into unreported_rejections (destination_id, recorded_at, rejections)
      select destination_id, recorded_at, rejections from page where rejections is not null order by id
    ),
    expiries as (
      delete from uncounted_expiries
      where id = any(array(select id from uncounted_expiries order by id limit ${size}))
      returning destination_id, recorded_at, expired
    ),
    counted as materialized (
      select destination_id, recorded_at, 1 as attempts, records, delivered, retried, rejected,
             records - delivered - retried - rejected as expired, records as batch
      from page
      union all
      select destination_id, recorded_at, 0, 0, 0, 0, 0, expired, null from expiries
    ),
    ${sql.join(Object.entries(rollups).map(([table, width]) => addition(table, width)))}
    select (select max(id) from page) as last, (select count(*) from page)::int as attempts,
           (select count(*) from expiries)::int as expiries`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('The roll-up returned no row.');
  return row;
}

/** The parts of `rollUpPage` that add what the part `counted` has to one table, unless it is too old for it. */
function addition(table: string, width: string): RawBuilder<unknown> {
  const [sums, buckets] = [sql.ref(`${table}_sums`), sql.ref(`${table}_buckets`)];
  const beginsAt = sql`date_bin(${sql.lit(width)}::interval, recorded_at, timestamptz 'epoch')`;
  const isKept = sql`recorded_at >= ${fromNow(-KEPT_MS)}`;
  return sql`
    ${sums} as (
      select destination_id, ${beginsAt} as begins_at, sum(attempts) as attempts, sum(records) as records,
             max(batch) as largest_batch, sum(delivered) as delivered, sum(retried) as retried,
             sum(rejected) as rejected, sum(expired) as expired
      from counted where ${isKept} group by 1, 2
    ),
    ${buckets} as (
      select destination_id, begins_at, array_agg(array[bucket, count] order by bucket) as latencies
      from (
        select destination_id, ${beginsAt} as begins_at, latencies[i][1]::bigint as bucket,
               sum(latencies[i][2])::bigint as count
        from page cross join lateral generate_subscripts(latencies, 1) as i
        where ${isKept} group by 1, 2, 3
      ) merged
      group by 1, 2
    ),
    ${sql.ref(`${table}_added`)} as (
      insert into ${sql.table(table)} as kept (destination_id, begins_at, attempts, records, largest_batch, delivered,
                                               retried, rejected, expired, latencies)
      select destination_id, begins_at, attempts, records, largest_batch, delivered, retried, rejected, expired,
             coalesce(latencies, '{}')
      from ${sums} left join ${buckets} using (destination_id, begins_at)
      on conflict (destination_id, begins_at) do update
      set attempts = kept.attempts + excluded.attempts, records = kept.records + excluded.records,
          largest_batch = greatest(kept.largest_batch, excluded.largest_batch),
          delivered = kept.delivered + excluded.delivered, retried = kept.retried + excluded.retried,
          rejected = kept.rejected + excluded.rejected, expired = kept.expired + excluded.expired,
          latencies = merged_latencies(kept.latencies || excluded.latencies)
    )`;
}

/**
 * Takes rejections that no event has reported: a statement that returns their `id`, `recorded_at` and `rejections`.
 * @param ids a query of their ids
 */
export function takeUnreported(ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
        delete from unreported_rejections where id = any(array(${ids}))
        returning id, recorded_at, rejections`;
}
