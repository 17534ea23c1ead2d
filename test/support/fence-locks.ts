import { sql } from 'kysely';
import type { Store } from '../../src/database/store.js';

/** A lock of the route fence, or a request for one. */
export interface FenceLock {
  readonly mode: string;
  readonly granted: boolean;
}

/** The locks of the route fence in the database of a test. */
export async function fenceLocks(store: Store): Promise<readonly FenceLock[]> {
  const { rows } = await sql<FenceLock>`
    select mode, granted from pg_locks
    where relation = 'event_route_fence'::regclass
      and database = (select oid from pg_database where datname = current_database())`.execute(store.db);
  return rows;
}

/** Whether a transaction waits for the route fence, or for an advisory lock: that of an account, or of its rules. */
export async function someoneWaitsForFence(store: Store): Promise<boolean> {
  const { rows } = await sql`
    select from pg_locks
    where (relation = 'event_route_fence'::regclass or locktype = 'advisory') and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(store.db);
  return rows.length > 0;
}
