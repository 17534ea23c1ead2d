import path from 'node:path';
import {
  EmbeddedPostgresError,
  runningServerUrl,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresErrorCode,
} from '@waybill/embedded-postgres';
import type { Config } from '../config/config.js';
import type { Logger } from '../logging/logger.js';

/** Name of the superuser and of the database. Existing data folders depend on it. */
const NAME = 'waybill';

const OTHER_POSTGRES = 'Set DATABASE_URL to use another Postgres.';

/** The settings that solve each problem, as a sentence after the error's own message. */
const advice: Readonly<Record<EmbeddedPostgresErrorCode, string | null>> = {
  folder_unusable: 'Set DATA_DIR to a folder that this process can write.',
  folder_owned_by_other: 'Otherwise set another DATA_DIR.',
  folder_in_use:
    'Stop that process, set another DATA_DIR for this one, or set DATABASE_URL: processes can share a Postgres server, but not an ' +
    'embedded one.',
  folder_lost: 'Set a separate DATA_DIR for each process.',
  lock_invalid: null,
  account_missing: OTHER_POSTGRES,
  binaries_missing: OTHER_POSTGRES,
  binaries_unusable: OTHER_POSTGRES,
  version_mismatch: 'Waybill reads the folder with the version that created it; set another DATA_DIR for this version.',
  init_failed: OTHER_POSTGRES,
  start_failed: null,
  leftover_server: null,
};

function withAdvice(error: EmbeddedPostgresError): EmbeddedPostgresError {
  const settings = advice[error.code];
  if (settings === null) return error;
  return new EmbeddedPostgresError(error.code, `${error.message} ${settings}`, { cause: error.cause });
}

/** Connections beside the pool: of the queues (9), of the locks, and of commands beside the service. */
const OTHER_CONNECTIONS = 30;

/**
 * Starts the embedded Postgres of a data folder, which accepts a pool of `poolSize` connections and those beside it.
 * @param stop aborts the start
 * @param fail called when the server had to stop because another process took the folder
 * @throws EmbeddedPostgresError whose message names the settings that help; the reason of `stop` when it aborts
 */
export async function startEmbeddedStore(
  { DATA_DIR: dataDir, DATABASE_POOL_SIZE: poolSize }: Pick<Config, 'DATA_DIR' | 'DATABASE_POOL_SIZE'>,
  logger: Logger,
  { stop, fail }: { readonly stop?: AbortSignal; readonly fail?: (error: Error) => void } = {},
): Promise<EmbeddedPostgres> {
  try {
    return await startEmbeddedPostgres({
      folder: path.resolve(dataDir),
      name: NAME,
      maxConnections: Math.max(100, poolSize + OTHER_CONNECTIONS),
      logger,
      signal: stop,
      onLost: (error) => fail?.(withAdvice(error)),
    });
  } catch (error) {
    throw error instanceof EmbeddedPostgresError ? withAdvice(error) : error;
  }
}

/**
 * Returns the connection string of the embedded Postgres that another process runs on a data folder, or null when none
 * answers. Holds the password: never log it.
 */
export function runningEmbeddedStore(dataDir: string): Promise<string | null> {
  return runningServerUrl(path.resolve(dataDir), NAME);
}
