import { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { CONNECTION_TIMEOUT_MS, type Database } from '../database.js';
import type { Tables } from '../tables.js';
import { poolDialect } from './pool-dialect.js';

/** Share of a pool for work that must not delay other work: a tenth, and one connection at least. */
const SHARE = 0.1;

/**
 * Opens a second access to a pool that uses few of its connections at once. Further queries wait for their turn, in
 * order, and do not wait in the pool: whatever their number, the other users of the pool find a connection. A query
 * fails after CONNECTION_TIMEOUT_MS without a turn, as one does without a connection. To be closed with the pool.
 */
export function openPoolShare(pool: Pool): Database {
  const connections = Math.max(1, Math.floor((pool.options.max ?? 1) * SHARE));
  return new Kysely<Tables>({ dialect: poolDialect(pool, { turns: connections, waitMs: CONNECTION_TIMEOUT_MS }) });
}
