import { sql } from 'kysely';
import type { Database } from '../../database/database.js';
import { fromNow } from '../../database/database-time.js';

/** How long what is finished is kept, in milliseconds. */
export interface Retention {
  readonly deliveredMs: number;
  /** Rejected and expired deliveries, and attempts that failed. */
  readonly undeliveredMs: number;
}

/** What one step looked at and removed. */
export interface PruneStep<Cursor> {
  /** The last that it looked at and that is old enough to be looked at; null when there was none. */
  readonly last: Cursor | null;
  /** There is more behind `last`. */
  readonly more: boolean;
  readonly removed: number;
}

/**
 * Removes what has been kept long enough, a bounded step at a time. Steps walk along primary keys, whose order is that of
 * time, so that pruning needs no index of its own and a step costs the same at any size of the tables.
 */
export class PruneStore {
  constructor(private readonly db: Database) {}

  /**
   * Removes events, with their deliveries, that every destination has had for `deliveredMs`, or could not be given for
   * `undeliveredMs`. An event with a delivery that still waits stays, and one that nobody subscribed to goes after `deliveredMs`.
   */
  async events(retention: Retention, after: string, step: number): Promise<PruneStep<string>> {
    const keptLongEnough = sql`(d.state <> 'pending'
      and d.finished_at <= case d.state when 'delivered' then ${fromNow(-retention.deliveredMs)}
                                        else ${fromNow(-retention.undeliveredMs)} end)`;
    const { rows } = await sql<{ last: string | null; seen: number; removed: number }>`
      with page as materialized (
        select id, created_at from events where id > ${after} order by id limit ${step}
      ),
      old as materialized (
        select page.id, (select count(*) from deliveries d where d.event_id = page.id) as deliveries
        from page
        where page.created_at <= ${fromNow(-retention.deliveredMs)}
          and not exists (select from deliveries d where d.event_id = page.id and not ${keptLongEnough})
      ),
      held as materialized (
        -- Locked, and looked at again: one that is asked for again at this moment is another's, and its event stays.
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
      select (select max(id) from page where created_at <= ${fromNow(-retention.deliveredMs)}) as last,
             (select count(*) from page where created_at <= ${fromNow(-retention.deliveredMs)})::int as seen,
             (select count(*) from removed)::int as removed`.execute(this.db);
    return stepOf(rows[0], step);
  }

  /** Removes attempts: those that delivered everything after `deliveredMs`, the others after `undeliveredMs`. */
  async attempts(retention: Retention, after: number, step: number): Promise<PruneStep<number>> {
    const { rows } = await sql<{ last: number | null; seen: number; removed: number }>`
      with page as materialized (
        select id, started_at, outcome from delivery_attempts where id > ${after} order by id limit ${step}
      ),
      removed as (
        delete from delivery_attempts a using page
        where a.id = page.id and page.started_at <= case page.outcome when 'healthy' then ${fromNow(-retention.deliveredMs)}
                                                                      else ${fromNow(-retention.undeliveredMs)} end
        returning a.id
      )
      select (select max(id) from page where started_at <= ${fromNow(-retention.deliveredMs)}) as last,
             (select count(*) from page where started_at <= ${fromNow(-retention.deliveredMs)})::int as seen,
             (select count(*) from removed)::int as removed`.execute(this.db);
    return stepOf(rows[0], step);
  }

  /** Removes remembered answers to idempotency keys that are older than `ageMs`. */
  async idempotencyKeys(ageMs: number, step: number): Promise<number> {
    const { numAffectedRows } = await sql`
      delete from idempotency_keys where (api_key_id, idempotency_key) in (
        select api_key_id, idempotency_key from idempotency_keys
        where created_at <= ${fromNow(-ageMs)} order by created_at limit ${step}
      )`.execute(this.db);
    return Number(numAffectedRows ?? 0n);
  }
}

/** The walk ends with the first step that comes to something too young. */
function stepOf<Cursor>(
  row: { last: Cursor | null; seen: number; removed: number } | undefined,
  step: number,
): PruneStep<Cursor> {
  return { last: row?.last ?? null, more: row?.seen === step, removed: row?.removed ?? 0 };
}
