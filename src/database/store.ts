import path from 'node:path';
import type { Pool } from 'pg';
import type { Config } from '../config/config.js';
import type { Logger } from '../logging/logger.js';
import { openDatabase, type Database } from './database.js';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.js';
import { migrate } from './migrate.js';
import { waitUntilReachable } from './reachable.js';

/** The open database. */
export interface Store {
  readonly db: Database;
  /** The pool beneath `db`, for what needs a connection of its own. */
  readonly pool: Pool;
  /** For what opens its own connections (the queues on Postgres). Holds the password: never log it. */
  readonly connectionString: string;
  /** Waits for running queries, closes every connection, and stops the embedded Postgres if it was started here. */
  close(): Promise<void>;
}

/** What the store says to the process, and hears from it. */
export interface StoreHost {
  /** Aborts when nobody waits for the store any more. */
  readonly stop?: AbortSignal;
  /** Called when the embedded Postgres must not run any longer. */
  readonly fail?: (error: Error) => void;
}

/**
 * Opens the database: DATABASE_URL when it is set, else an embedded Postgres under DATA_DIR. The schema is up to date when
 * this resolves.
 * @throws MigrationError, EmbeddedPostgresError, or the driver's error when the server has not been reached for 30 seconds or
 * refuses us; the reason of `stop` when that aborts meanwhile.
 */
export async function openStore(
  config: Config,
  logger: Logger,
  { stop, fail }: StoreHost = {},
): Promise<Store> {
  const server = config.DATABASE_URL
    ? { connectionString: config.DATABASE_URL, stop: () => Promise.resolve() }
    : await startEmbeddedPostgres({
        dataDir: path.resolve(config.DATA_DIR),
        logger,
        onLost: (error) => fail?.(error),
      });
  const { connectionString } = server;
  try {
    await waitUntilReachable(connectionString, logger, { stop });
    await migrate(connectionString, logger);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const { db, pool } = openDatabase({
    connectionString,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: `waybill ${config.INSTANCE_NAME}`,
    logger,
  });
  const close = async (): Promise<void> => {
    await db.destroy();
    await server.stop();
  };
  return { db, pool, connectionString, close };
}
