import { sql } from 'kysely';
import type { Database } from '../database/database.js';
import { fromNow } from '../database/database-time.js';

/** Decides which process runs a maintenance task: one of all of them, once in each interval. */
export class MaintenanceTaskStore {
  constructor(private readonly db: Database) {}

  /**
   * Whether this process has the turn at a task that one process of all does, once in `intervalMs`. Needs no lock to be held:
   * the turn of a process that died passes on when the next is due. A next one that is further away than two intervals shows that
   * the database's clock has stepped back: it does not wait for it to come around again. (Not than one: who waits for the row that
   * another process moves has begun before it, and finds it further away by that.)
   */
  async takeTurn(task: string, intervalMs: number): Promise<boolean> {
    const { rows } = await sql`
      insert into maintenance_tasks as t (name, due_at) values (${task}, ${fromNow(intervalMs)})
      on conflict (name) do update set due_at = excluded.due_at
      where t.due_at <= now() or t.due_at > ${fromNow(2 * intervalMs)}
      returning name`.execute(this.db);
    return rows.length === 1;
  }
}
