import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import type { Logger } from '../../logging/logger.js';
import { CONNECTION_TIMEOUT_MS } from '../database.js';
import { defaultWaits, isLockWait, repeatWhileLocked, type LockWaits } from '../lock-waits.js';
import * as baseline from '../migrations/0001_baseline.js';
import { buildConcurrently } from './concurrent-index.js';
import { MigrationRecord } from './migration-record.js';
import type { SchemaMigration } from './migration.js';

/** Every migration by name, in order. A released one never changes; a new one sorts after all others. */
export const migrations: Readonly<Record<string, SchemaMigration>> = {
  '0001_baseline': baseline,
};

/** The oldest Postgres that the schema and the queries are written for. */
const OLDEST_POSTGRES = 15;

/**
 * Key of the advisory lock of a migration: an arbitrary number that is unlikely to be used by others ("waybil" in
 * ASCII).
 */
const MIGRATION_LOCK = 0x77_61_79_62_69_6cn;

/** How often a process asks for the lock that another one holds, in milliseconds. */
const LOCK_POLL_MS = 250;

/** Thrown when the schema cannot be migrated; the message says why and what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/**
 * Migrates the schema. Concurrent processes may call it: one migrates, the others wait and find nothing to do. Each
 * migration is a transaction, and indexes that are built after it. A failed one leaves what was complete, and the next
 * call continues there (docs/decisions/database.md).
 * @param known the migrations of this version; tests pass others
 * @throws MigrationError when the server is too old, a newer version migrated the database in a way that this version
 * cannot use, or a migration fails
 */
export async function migrate(
  connectionString: string,
  logger: Logger,
  known = migrations,
  waits: LockWaits = defaultWaits,
): Promise<void> {
  // One connection holds the lock and migrates: while the server still builds an index for a killed process, no other
  // process begins. It has no statement timeout of the service, because an index of a large table takes long.
  const pool = new Pool({
    connectionString,
    max: 1,
    application_name: 'waybill migration',
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    keepAlive: true,
  });
  pool.on('error', (error) => logger.warn({ err: error }, 'a database connection was lost while migrating'));
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    await db.connection().execute(async (connection) => {
      await refuseOldServer(connection);
      // The operator may have set other timeouts for the role.
      await sql`set statement_timeout = 0`.execute(connection);
      await sql`set lock_timeout = 0`.execute(connection);
      await takeLock(connection, logger);
      await migrateLocked(connection, logger, known, waits);
    });
  } finally {
    await db.destroy();
  }
}

async function refuseOldServer(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(db);
  const major = Math.floor(Number(rows[0]?.version) / 10_000);
  if (major < OLDEST_POSTGRES) {
    throw new MigrationError(`Waybill needs Postgres ${OLDEST_POSTGRES} or later; this server is version ${major}.`);
  }
}

/**
 * Takes the lock of the session, which the server releases with the connection. Asks again and again: a statement that
 * waits for the lock has a snapshot, and an index that is built concurrently waits for every older snapshot.
 */
async function takeLock(db: Kysely<unknown>, logger: Logger): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const { rows } = await sql<{ taken: boolean }>`
      select pg_try_advisory_lock(${MIGRATION_LOCK.toString()}::bigint) as taken`.execute(db);
    if (rows[0]?.taken === true) return;
    if (tries === 0) logger.info('waiting for another process that migrates the database');
    await sleep(LOCK_POLL_MS);
  }
}

async function migrateLocked(
  db: Kysely<unknown>,
  logger: Logger,
  known: typeof migrations,
  waits: LockWaits,
): Promise<void> {
  const record = new MigrationRecord(db);
  await record.open();
  const recorded = new Map((await record.read()).map((migration) => [migration.name, migration]));
  const unknown = Array.from(recorded.values()).filter(({ name }) => !(name in known));
  refuseNewerSchema(
    unknown.filter(({ additive }) => !additive).map(({ name }) => name),
    known,
  );
  if (unknown.length > 0) {
    const names = unknown.map(({ name }) => name);
    logger.info({ migrations: names }, 'a newer version has migrated the database; this version can use it');
  }
  for (const [name, migration] of Object.entries(known)) {
    const before = recorded.get(name);
    if (before?.finished === true) continue;
    await run(name, async () => {
      if (!before) {
        await repeatWhileLocked(waits, logger, name, () =>
          inTransaction(db, waits, async (trx) => {
            await migration.up(trx);
            await record.start(trx, name, migration);
          }),
        );
      }
      for (const index of migration.indexes ?? []) {
        await repeatWhileLocked(waits, logger, name, () => buildConcurrently(db, index, logger));
      }
      await record.finish(name);
    });
    logger.info({ migration: name }, 'database migrated');
  }
}

function refuseNewerSchema(unknown: readonly string[], known: typeof migrations): void {
  if (unknown.length === 0) return;
  throw new MigrationError(
    `The database is newer than this version of Waybill: it holds the migration ${unknown.join(', ')}, and this version ` +
      `ends at ${Object.keys(known).at(-1)}. Run the version that migrated it, or restore a backup from before.`,
  );
}

/** Runs a change of the schema in one transaction, which waits for each lock for a short time. */
async function inTransaction(
  db: Kysely<unknown>,
  { timeoutMs }: LockWaits,
  work: (trx: Kysely<unknown>) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select set_config('lock_timeout', ${`${timeoutMs}ms`}, true)`.execute(trx);
    await work(trx);
  });
}

/** Runs a migration, and names it in the error. */
async function run(name: string, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error';
    const advice = isLockWait(error)
      ? 'End the transaction that holds the lock (pg_locks, pg_stat_activity), and start again.'
      : 'What had failed was rolled back; the next start continues there.';
    throw new MigrationError(`The database could not be migrated (${name}): ${reason}. ${advice}`, { cause: error });
  }
}
