import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { ServerStarts } from '../../src/database/connections/server-starts.js';
import { openDatabase } from '../../src/database/database.js';
import type { Store } from '../../src/database/store.js';
import { createLogger } from '../../src/logging/logger.js';
import { runStatement } from '../../tools/harness/database.js';
import { withDatabase } from './test-postgres.js';

/** Options of a test's store. */
export interface TestStoreOptions {
  /** Most connections of its pool; 6 by default. Unused connections are closed after a second. */
  readonly poolSize?: number;
  /** Returns another address of the same server, such as that of a relay. */
  readonly through?: (url: string) => string;
}

/**
 * Creates a migrated, empty database for one test, on the Postgres of the run. `close()` drops the database and ends
 * every connection to it: close queues and workers first.
 */
export async function createTestStore(options: TestStoreOptions = {}): Promise<Store> {
  const server = inject('postgresUrl');
  const name = `waybill_test_${randomBytes(8).toString('hex')}`;
  await runStatement(server, `create database ${name} template ${inject('templateDatabase')} strategy file_copy`);
  const { through = (url) => url } = options;
  const connectionString = through(withDatabase(server, name));
  const starts = new ServerStarts();
  const { db, pool } = openDatabase({
    connectionString,
    poolSize: options.poolSize ?? 6,
    applicationName: name,
    logger: createLogger(process.env['TEST_LOG_LEVEL'] ?? 'error'),
    idleTimeoutMs: 1_000,
    onServer: (startedAt) => starts.saw(startedAt),
  });
  const close = async (): Promise<void> => {
    await db.destroy();
    await runStatement(server, `drop database ${name} with (force)`);
  };
  return { db, pool, connectionString, onServerStart: (listener) => starts.onChange(listener), close };
}
