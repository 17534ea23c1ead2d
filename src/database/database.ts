import { Kysely, type Transaction as KyselyTransaction } from 'kysely';
import { Pool, types as parsers, type CustomTypesConfig } from 'pg';
import type { Logger } from '../logging/logger.js';
import { PoolDialect } from './pool-dialect.js';
import type { Tables } from './tables.js';
import { watchedSocket } from './watched-socket.js';

/** Typed access to every table; a query takes a connection of the pool for itself. */
export type Database = Kysely<Tables>;
/** The injection token of `Database`. */
export const DATABASE = Symbol('Database');
/** The same inside one transaction. */
export type Transaction = KyselyTransaction<Tables>;

/**
 * Longest that one statement may run on the server, in milliseconds. No statement of ours comes near it; it exists so that a
 * query that waits for a forgotten lock gives its connection back. Less than ANSWER_TIMEOUT_MS: a server that is well speaks first.
 */
const STATEMENT_TIMEOUT_MS = 20_000;
/** Longest that a request for a connection waits, for a free one or for the server, in milliseconds. */
export const CONNECTION_TIMEOUT_MS = 10_000;
/** How long an unused connection stays open, in milliseconds. */
export const IDLE_TIMEOUT_MS = 15_000;
/** Longest that a transaction may sit idle before the server ends it and frees its locks, in milliseconds. */
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000;

/**
 * How statements are planned: by index, for those of every request and every batch are prepared, perhaps while the tables are almost
 * empty (docs/decisions/plans.md). Said on each new connection and not as startup options, which would take the place of the
 * operator's own, and which poolers refuse.
 */
const PLANNING = 'set enable_seqscan = off; set jit = off';

/** How to open a pool. */
export interface DatabaseOptions {
  readonly connectionString: string;
  /** Most connections that are open at once. */
  readonly poolSize: number;
  /** Shown in `pg_stat_activity`; Postgres keeps the first 63 bytes. */
  readonly applicationName: string;
  readonly logger: Logger;
  /** How long an unused connection stays open, in milliseconds: less than ANSWER_TIMEOUT_MS, for a silent one is taken for dead. */
  readonly idleTimeoutMs?: number;
}

/**
 * `bigint` as a number, for this pool only (the driver's global parsers belong to everyone in the process). Beyond 2^53 the
 * number would be wrong, so that is an error.
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

/**
 * Opens a pool and Kysely over it. Connects at the first query, not here. `db.destroy()` ends the pool.
 * A lost connection fails the queries that were using it and nothing else: it is logged, and the next query opens another.
 * Members of the connection string win over ours, as everywhere in Postgres (`?application_name=`, `?sslmode=`).
 */
export function openDatabase(options: DatabaseOptions): { readonly db: Database; readonly pool: Pool } {
  const pool = new Pool({
    connectionString: options.connectionString,
    max: options.poolSize,
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    idleTimeoutMillis: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    stream: watchedSocket,
    // The pool waits for it, which its types do not say.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: (client) => client.query(PLANNING),
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
  });
  pool.on('error', (error) => options.logger.warn({ err: error }, 'an idle database connection was lost'));
  // The pool listens to a connection only while it is idle. One that is lost between two statements of a transaction would
  // be an unhandled 'error' event, which ends the process; the next statement on it fails with the same error.
  pool.on('connect', (client) => {
    client.on('error', (error) => options.logger.debug({ err: error }, 'a database connection was lost'));
  });
  return { db: new Kysely<Tables>({ dialect: new PoolDialect(pool) }), pool };
}
