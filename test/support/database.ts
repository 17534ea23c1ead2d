import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { openDatabase } from '../../src/database/database.js';
import type { Store } from '../../src/database/store.js';
import { createLogger } from '../../src/logging/logger.js';
import { runStatement, withDatabase } from './test-postgres.js';

/** What a test may say about its store. */
export interface TestStoreOptions {
  /** Most connections of its pool; 6 unless told, opened as they are needed and closed after a second unused. */
  readonly poolSize?: number;
  /** Leads its connections another way to the same server. */
  readonly through?: (url: string) => string;
}

/**
 * A fresh, migrated, empty database of the test's own, on the Postgres of the run. `close()` drops it, and ends
 * whatever else is still connected to it: close queues and workers first.
 */
export async function createTestStore(options: TestStoreOptions = {}): Promise<Store> {
  const server = inject('postgresUrl');
  const name = `waybill_test_${randomBytes(8).toString('hex')}`;
  await runStatement(server, `create database ${name} template ${inject('templateDatabase')}`);
  const { through = (url) => url } = options;
  const connectionString = through(withDatabase(server, name));
  const { db, pool } = openDatabase({
    connectionString,
    poolSize: options.poolSize ?? 6,
    applicationName: name,
    logger: createLogger(process.env['TEST_LOG_LEVEL'] ?? 'error'),
    idleTimeoutMs: 1_000,
  });
  const close = async (): Promise<void> => {
    await db.destroy();
    await runStatement(server, `drop database ${name} with (force)`);
  };
  return { db, pool, connectionString, close };
}
