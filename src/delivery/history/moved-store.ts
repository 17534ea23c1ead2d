import { sql } from 'kysely';
import type { Database } from '../../database/database.js';
import { insertIntoHistory } from './finish-statement.js';

/** Where a finished delivery is in `deliveries`, in the order of the index of finished ones. */
export interface FinishedCursor {
  readonly destinationId: string;
  readonly state: string;
  readonly createdAt: string;
  readonly id: number;
}

/** Result of one page. */
export interface MovedPage {
  readonly moved: number;
  /** The last delivery of the page; null when no delivery is finished behind the cursor. */
  readonly last: FinishedCursor | null;
}

interface PageRow {
  moved: number;
  destination_id: string | null;
  state: string;
  created_at: string;
  id: number;
}

/**
 * How long after the migration deliveries are moved, in minutes: a rolling upgrade has ended by then. Processes of the
 * release before do not see the history, and their pruner takes an event without deliveries for one that can go.
 */
const DELAY_MINUTES = 60;

/**
 * Moves finished deliveries out of `deliveries`: those that processes of an older release have finished. It can end
 * anywhere, because the statement is one transaction and what is left shows in the table.
 */
export class MovedStore {
  constructor(private readonly db: Database) {}

  /** Returns whether the upgrade is long enough ago. */
  async isDue(): Promise<boolean> {
    const { rows } = await sql<{ due: boolean }>`
      select finished_at <= now() - make_interval(mins => ${DELAY_MINUTES}) as due from schema_migrations
      where name = '0033_delivery_history'`.execute(this.db);
    return rows[0]?.due === true;
  }

  /**
   * Moves the next finished deliveries behind the cursor. Those that another process reopens or moves at this moment
   * are left.
   */
  async page(after: FinishedCursor | null, size: number): Promise<MovedPage> {
    const behind = after
      ? sql`(destination_id, state, created_at, id) > (${after.destinationId}, ${after.state}, ${after.createdAt}::timestamptz, ${after.id}::bigint)`
      : sql`true`;
    const { rows } = await sql<PageRow>`
      with page as materialized (
        select ctid, destination_id, state, created_at, id from deliveries
        where state <> 'pending' and ${behind}
        order by destination_id, state, created_at, id limit ${size}
      ),
      moved as (
        delete from deliveries where ctid = any(array(select ctid from page)) and state <> 'pending' returning *
      ),
      recorded as (${insertIntoHistory('moved', sql`coalesce(finished_at, created_at)`)})
      select (select count(*)::int from moved) as moved, last.* from (select) one
      left join (
        select destination_id, state, created_at::text as created_at, id from page
        order by page.destination_id desc, page.state desc, page.created_at desc, page.id desc limit 1
      ) last on true`.execute(this.db);
    const [row] = rows;
    if (!row || row.destination_id === null) return { moved: row?.moved ?? 0, last: null };
    const { destination_id: destinationId, state, created_at: createdAt, id } = row;
    return { moved: row.moved, last: { destinationId, state, createdAt, id } };
  }
}
