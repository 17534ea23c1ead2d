import { sql, type RawBuilder } from 'kysely';
import { fromNow } from '../database/database-time.js';
import type { Database } from '../database/database.js';
import { executePrepared } from '../database/prepared.js';

/** Decides which process begins a turn at a maintenance task: one of all of them, once in each interval. */
export class MaintenanceTaskStore {
  constructor(private readonly db: Database) {}

  /**
   * Returns whether this process runs a task that is due. No lock is held: when the process dies, the next turn goes to
   * another one. A due time more than two intervals ahead shows that the database's clock was set back, and is ignored.
   * (More than one interval is no such sign: a statement that waited for the row has an older `now()` than the one that
   * moved it.)
   * @param hasWork whether the task may have something to do: without it, the turn is not taken
   */
  async takeTurn(task: string, intervalMs: number, hasWork: RawBuilder<boolean> = sql`true`): Promise<boolean> {
    const rows = await executePrepared(
      this.db,
      sql`
      insert into maintenance_tasks as t (name, due_at)
      select ${task}::text, ${fromNow(intervalMs)} where ${hasWork}
      on conflict (name) do update set due_at = excluded.due_at
      where t.due_at <= now() or t.due_at > ${fromNow(2 * intervalMs)}
      returning name`,
    );
    return rows.length === 1;
  }
}
