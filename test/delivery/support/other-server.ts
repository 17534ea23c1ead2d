import { openDatabase, type Database } from '../../../src/database/database.js';
import type { Store } from '../../../src/database/store.js';
import { createLogger } from '../../../src/logging/logger.js';

/** A database whose server tells an identity that the test sets. */
export interface ChangingServer {
  readonly db: Database;
  /** Replaces the server, as a failover does: another start, and another timeline if it is told. */
  failOver(timeline: number | null): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the database of a store through functions that hide those of Postgres: the start of the server and its timeline
 * are what the test sets. The timeline is the real one at first.
 */
export async function openChangingServer(store: Store): Promise<ChangingServer> {
  await store.pool.query(`
    create schema server;
    create table server.state as
      select pg_postmaster_start_time() as started_at, pg_walfile_name(pg_current_wal_lsn()) as file;
    create function server.pg_postmaster_start_time() returns timestamptz language sql stable
      as 'select started_at from server.state';
    create function server.pg_walfile_name(pg_lsn) returns text language sql stable
      as 'select file from server.state';`);
  const url = new URL(store.connectionString);
  url.searchParams.set('options', '-c search_path=server,pg_catalog,public');
  const logger = createLogger('fatal');
  const { db } = openDatabase({ connectionString: url.href, poolSize: 4, applicationName: 'other', logger });
  return {
    db,
    async failOver(timeline) {
      const file = timeline === null ? null : timeline.toString(16).padStart(8, '0').padEnd(24, '0');
      await store.pool.query(`update server.state set started_at = started_at + interval '1 second', file = $1::text`, [
        file,
      ]);
    },
    close: () => db.destroy(),
  };
}
