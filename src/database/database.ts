import { Kysely, type Transaction as KyselyTransaction } from 'kysely';
import { Pool, types as parsers, type ClientBase, type CustomTypesConfig } from 'pg';
import { tokenOf } from '../lifecycle/provide.js';
import type { Logger } from '../logging/logger.js';
import { poolDialect } from './connections/pool-dialect.js';
import { watchedSocket } from './connections/watched-socket.js';
import type { Tables } from './tables.js';

/** Typed access to every table; each query uses a connection of the pool. */
export type Database = Kysely<Tables>;
/** The injection token of `Database`. */
export const DATABASE = tokenOf<Database>('Database');
/** The same inside one transaction. */
export type Transaction = KyselyTransaction<Tables>;

/**
 * Longest run time of one statement on the server, in milliseconds. It ends a query that waits for a forgotten lock;
 * others take far less. Less than SILENCE_TIMEOUT_MS, so that a working server reports the timeout itself.
 */
const STATEMENT_TIMEOUT_MS = 20_000;
/** Longest wait for a connection, a free one of the pool or a new one to the server, in milliseconds. */
export const CONNECTION_TIMEOUT_MS = 10_000;
/** How long an unused connection stays open, in milliseconds. */
export const IDLE_TIMEOUT_MS = 15_000;
/**
 * How long a connection is used, in seconds: after a change of servers behind the address, such as a failover or a new
 * member of a proxy, no connection stays on the old one.
 */
export const MAX_LIFETIME_SECONDS = 600;
/** How long a transaction may be idle before the server ends it and releases its locks, in milliseconds. */
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000;

/**
 * Planner settings: index scans always, because statements may be prepared while the tables are almost empty
 * (docs/decisions/database.md). Sent on each new connection: startup options would replace the operator's own, and
 * poolers refuse them.
 */
const PLANNING = 'set enable_seqscan = off; set jit = off';

/** When the server started: part of the first round trip of a connection, which shows a restart or another server. */
const STARTED_AT = 'select pg_postmaster_start_time()::text as started_at';

/** How to open a pool. */
export interface DatabaseOptions {
  readonly connectionString: string;
  /** Most connections that are open at once. */
  readonly poolSize: number;
  /** Shown in `pg_stat_activity`; Postgres keeps the first 63 bytes. */
  readonly applicationName: string;
  readonly logger: Logger;
  /**
   * How long an unused connection stays open, in milliseconds: less than SILENCE_TIMEOUT_MS, which ends a silent
   * connection.
   */
  readonly idleTimeoutMs?: number;
  /** Called with each new connection: when its server started, in Postgres's notation. */
  readonly onServer?: (startedAt: string) => void;
}

/**
 * Parses a `bigint` as a number, for this pool only: the driver's global parsers would affect the whole process.
 * @throws RangeError beyond 2^53, where a number is not exact
 */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a number`);
  return value;
}

const types: CustomTypesConfig = {
  getTypeParser: (id, format) =>
    id === parsers.builtins.INT8 && format !== 'binary' ? parseInt8 : parsers.getTypeParser(id, format),
};

/** Sets the planner's settings, and returns when the server started. */
async function prepareConnection(client: ClientBase): Promise<string> {
  // Several statements have one result each, which the driver's types do not declare.
  const results: unknown = await client.query(`${PLANNING}; ${STARTED_AT}`);
  const last: unknown = Array.isArray(results) ? results.at(-1) : undefined;
  const rows = typeof last === 'object' && last !== null && 'rows' in last && Array.isArray(last.rows) ? last.rows : [];
  return String(rows[0]?.started_at);
}

/**
 * Opens a pool and Kysely on it. The first query connects; `db.destroy()` ends the pool. A lost connection is logged
 * and fails its queries only; the next query opens another. Parameters of the connection string override these options
 * (`?application_name=`, `?sslmode=`).
 */
export function openDatabase(options: DatabaseOptions): { readonly db: Database; readonly pool: Pool } {
  const pool = new Pool({
    connectionString: options.connectionString,
    max: options.poolSize,
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    idleTimeoutMillis: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    maxLifetimeSeconds: MAX_LIFETIME_SECONDS,
    stream: watchedSocket,
    // The pool awaits the promise, which its types do not declare.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: async (client) => {
      const startedAt = await prepareConnection(client);
      options.onServer?.(startedAt);
    },
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
  });
  pool.on('error', (error) => options.logger.warn({ err: error }, 'an idle database connection was lost'));
  // The pool listens to idle connections only. The loss of one between two statements of a transaction would be an
  // unhandled 'error' event, which ends the process. The next statement fails with the same error.
  pool.on('connect', (client) => {
    client.on('error', (error) => options.logger.debug({ err: error }, 'a database connection was lost'));
  });
  return { db: new Kysely<Tables>({ dialect: poolDialect(pool) }), pool };
}
