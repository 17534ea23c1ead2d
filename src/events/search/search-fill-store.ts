import { sql } from 'kysely';
import type { Database } from '../../database/database.js';

/** Fills the columns of search in events of releases before them, from their payloads. */
export class SearchFillStore {
  constructor(private readonly db: Database) {}

  /**
   * Returns since when every event has the columns; null when all have them.
   */
  async completeSince(): Promise<Date | null> {
    const row = await this.db.selectFrom('event_search_fill').select('complete_since').executeTakeFirst();
    return row?.complete_since ?? null;
  }

  /**
   * Fills the next events, newest first, and moves the position behind them, in one transaction: the task can end
   * anywhere. The row of the position is locked, so that no two pages are filled at once.
   * @returns how many events were visited; null when all are filled
   */
  async page(size: number): Promise<number | null> {
    return this.db.transaction().execute(async (trx) => {
      const { rows: positions } = await sql<{ before_id: string }>`
        select before_id from event_search_fill for update`.execute(trx);
      const [position] = positions;
      if (!position) return null;
      const { rows } = await sql<{ id: string; created_at: Date }>`
        select id, created_at from events where id < ${position.before_id} order by id desc limit ${size}`.execute(trx);
      const last = rows.at(-1);
      if (!last) {
        await trx.deleteFrom('event_search_fill').execute();
        return null;
      }
      await sql`
        update events e set (principal_id, credential_id, operation_id, changed_fields) = (
          select principal_id, credential_id, operation_id, changed_fields from event_search_keys(e.payload)
        )
        where id >= ${last.id} and id < ${position.before_id} and operation_id is null`.execute(trx);
      await sql`
        update event_search_fill
        set before_id = ${last.id}, complete_since = least(complete_since, ${last.created_at}::timestamptz + interval '1 ms')`.execute(
        trx,
      );
      return rows.length;
    });
  }
}
