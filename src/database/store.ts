import type { Pool } from 'pg';
import type { Config } from '../config/config.js';
import { tokenOf } from '../lifecycle/provide.js';
import type { Logger } from '../logging/logger.js';
import { waitUntilReachable } from './connections/reachable.js';
import { ServerStarts } from './connections/server-starts.js';
import { openDatabase, type Database } from './database.js';
import { runningEmbeddedStore, startEmbeddedStore } from './embedded-store.js';
import { EventPartitions } from './partitions/event-partitions.js';
import { migrate } from './schema/migrate.js';

/** The open database. */
export interface Store {
  readonly db: Database;
  /** The pool beneath `db`, for what needs a connection of its own. */
  readonly pool: Pool;
  /** For what opens its own connections (the queues on Postgres). Holds the password: never log it. */
  readonly connectionString: string;
  /**
   * Calls `listener` when a new connection has reached a server that started at another time than the one before: the
   * server was restarted or replaced.
   */
  onServerStart(listener: () => void): void;
  /** Waits for running queries, closes every connection, and stops the embedded Postgres if it was started here. */
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;

/** The injection token of `Store`. */
export const STORE = tokenOf<Store>('Store');

/** What connects the store to its process. */
export interface StoreHost {
  /** Aborts the opening. */
  readonly stop?: AbortSignal;
  /** Called when the embedded Postgres had to stop. */
  readonly fail?: (error: Error) => void;
}

/**
 * Opens the database: DATABASE_URL when it is set, otherwise an embedded Postgres under DATA_DIR. Migrates the schema.
 * @throws MigrationError, EmbeddedPostgresError, or SettingError when the server refuses the connection or was not
 * reached for 30 seconds; the reason of `stop` when it aborts
 */
export async function openStore(config: Config, logger: Logger, { stop, fail }: StoreHost = {}): Promise<Store> {
  const server = config.DATABASE_URL
    ? { connectionString: config.DATABASE_URL, stop: () => Promise.resolve() }
    : await startEmbeddedStore(config, logger, { stop, fail });
  const { connectionString } = server;
  try {
    if (config.DATABASE_URL) await waitUntilReachable(connectionString, logger, { stop });
    await migrate(connectionString, logger);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const starts = new ServerStarts();
  const { db, pool } = openDatabase({
    connectionString,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: `waybill ${config.INSTANCE_NAME}`,
    logger,
    onServer: (startedAt) => starts.saw(startedAt),
  });
  await new EventPartitions(db, config.RETENTION_EVENTS_DAYS * DAY_MS, logger).ensure();
  const close = async (): Promise<void> => {
    await db.destroy();
    await server.stop();
  };
  return { db, pool, connectionString, onServerStart: (listener) => starts.onChange(listener), close };
}

/**
 * Opens the database of a service that may be running: the embedded Postgres of that service where one answers,
 * otherwise as `openStore` does. For commands that run beside the service.
 */
export async function openStoreBeside(
  config: Config,
  logger: Logger,
  applicationName: string,
): Promise<Pick<Store, 'db' | 'connectionString' | 'close'>> {
  const connectionString = config.DATABASE_URL ?? (await runningEmbeddedStore(config.DATA_DIR));
  if (connectionString === null) return openStore(config, logger);
  const { db } = openDatabase({ connectionString, poolSize: 2, applicationName, logger });
  return { db, connectionString, close: () => db.destroy() };
}
