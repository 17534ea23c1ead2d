import { sql } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import type { Database } from '../../database/database.js';
import type { PrunedPage } from '../../maintenance/paged-pruning.js';

/** How long finished deliveries and attempts are kept, in milliseconds. */
export interface Retention {
  readonly deliveredMs: number;
  /** For rejected, expired and cancelled deliveries, and attempts that failed. */
  readonly undeliveredMs: number;
}

/**
 * Removes rows that are older than their retention, one page at a time: of rows that are at least `ageMs` old. Pages
 * follow the primary keys, whose order is that of time: pruning needs no index of its own, and a page costs the same at
 * any size of the tables.
 */
export class PruneStore {
  constructor(private readonly db: Database) {}

  /**
   * Removes events with all their deliveries, once each delivery finished long enough ago: `deliveredMs` when it was
   * delivered, `undeliveredMs` otherwise. An event without deliveries goes after `deliveredMs`. An event with a pending
   * delivery or a waiting fan-out stays.
   */
  async events(retention: Retention, after: string, size: number, ageMs: number): Promise<PrunedPage<string>> {
    const keptLongEnough = sql`(d.state <> 'pending'
      and d.finished_at <= case d.state when 'delivered' then ${fromNow(-retention.deliveredMs)}
                                        else ${fromNow(-retention.undeliveredMs)} end)`;
    const { rows } = await sql<{ last: string | null; seen: number; removed: number }>`
      with page as materialized (
        select id, created_at from events where id > ${after} order by id limit ${size}
      ),
      old as materialized (
        select page.id, (select count(*) from deliveries d where d.event_id = page.id) as deliveries
        from page
        where page.created_at <= ${fromNow(-retention.deliveredMs)}
          and not exists (select from deliveries d where d.event_id = page.id and not ${keptLongEnough})
          and not exists (select from fan_out_parts p where p.event_id = page.id)
      ),
      held as materialized (
        -- Locked and checked again: a delivery that is being redelivered at this moment is skipped, and its event stays.
        select d.event_id from deliveries d
        where d.event_id in (select id from old) and ${keptLongEnough}
        for update of d skip locked
      ),
      whole as (
        select old.id from old left join held on held.event_id = old.id
        group by old.id, old.deliveries having count(held.event_id) = old.deliveries
      ),
      removed as (
        delete from events e using whole where e.id = whole.id returning e.id
      )
      select (select max(id) from page where created_at <= ${fromNow(-ageMs)}) as last,
             (select count(*) from page where created_at <= ${fromNow(-ageMs)})::int as seen,
             (select count(*) from removed)::int as removed`.execute(this.db);
    return pageOf(rows[0], size);
  }

  /** Removes attempts: healthy ones after `deliveredMs`, the others after `undeliveredMs`. */
  async attempts(retention: Retention, after: number, size: number, ageMs: number): Promise<PrunedPage<number>> {
    const { rows } = await sql<{ last: number | null; seen: number; removed: number }>`
      with page as materialized (
        select id, started_at, outcome from delivery_attempts where id > ${after} order by id limit ${size}
      ),
      removed as (
        delete from delivery_attempts a using page
        where a.id = page.id and page.started_at <= case page.outcome when 'healthy' then ${fromNow(-retention.deliveredMs)}
                                                                      else ${fromNow(-retention.undeliveredMs)} end
        returning a.id
      )
      select (select max(id) from page where started_at <= ${fromNow(-ageMs)}) as last,
             (select count(*) from page where started_at <= ${fromNow(-ageMs)})::int as seen,
             (select count(*) from removed)::int as removed`.execute(this.db);
    return pageOf(rows[0], size);
  }
}

/** The walk ends with the first page that contains a row which is too young. */
function pageOf<Cursor>(
  row: { last: Cursor | null; seen: number; removed: number } | undefined,
  size: number,
): PrunedPage<Cursor> {
  return { last: row?.last ?? null, more: row?.seen === size, removed: row?.removed ?? 0 };
}
