import { Kysely, Migrator, PostgresDialect, type Migration } from 'kysely';
import { Client, Pool } from 'pg';
import type { Logger } from '../logging/logger.js';
import { CONNECTION_TIMEOUT_MS } from './database.js';
import * as initial from './migrations/0001_initial.js';
import * as httpsEdgeRoutes from './migrations/0002_https_edge_routes.js';
import * as domainsAndAddresses from './migrations/0003_domains_and_addresses.js';
import * as dataPlane from './migrations/0004_data_plane.js';
import * as deliveryViews from './migrations/0005_delivery_views.js';
import * as sealedAnswers from './migrations/0006_sealed_answers.js';
import * as traceParent from './migrations/0007_trace_parent.js';

/** Every migration by name, in order. A released one never changes; a new one sorts after all others. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001_initial': initial,
  '0002_https_edge_routes': httpsEdgeRoutes,
  '0003_domains_and_addresses': domainsAndAddresses,
  '0004_data_plane': dataPlane,
  '0005_delivery_views': deliveryViews,
  '0006_sealed_answers': sealedAnswers,
  '0007_trace_parent': traceParent,
};

/** The oldest Postgres that the schema and the queries are written for. */
const OLDEST_POSTGRES = 15;

/**
 * Key of the advisory lock of a migration: an arbitrary number that is unlikely to be used by others ("waybil" in
 * ASCII).
 */
const MIGRATION_LOCK = 0x77_61_79_62_69_6cn;

/** Thrown when the schema cannot be migrated; the message says why and what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/**
 * Migrates the schema. Concurrent processes may call it: one migrates, the others wait and find nothing to do. Each
 * migration runs in a transaction, so a failed one changes nothing.
 * @param known the migrations of this version; tests pass others
 * @throws MigrationError when the server is too old, a newer version migrated the database, or a migration fails
 */
export async function migrate(connectionString: string, logger: Logger, known = migrations): Promise<void> {
  const locker = new Client({
    connectionString,
    application_name: 'waybill migration',
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    keepAlive: true,
  });
  locker.on('error', (error) => logger.warn({ err: error }, 'the connection with the migration lock was lost'));
  await locker.connect();
  try {
    await refuseOldServer(locker);
    // The session holds the lock: the server releases it with the connection, even when this process is killed.
    await locker.query('select pg_advisory_lock($1)', [MIGRATION_LOCK.toString()]);
    await refuseNewerSchema(locker, known);
    await run(connectionString, logger, known);
  } finally {
    await locker.end();
  }
}

async function refuseOldServer(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version_num') as version`);
  const major = Math.floor(Number(rows[0]?.version) / 10_000);
  if (major < OLDEST_POSTGRES) {
    throw new MigrationError(`Waybill needs Postgres ${OLDEST_POSTGRES} or later; this server is version ${major}.`);
  }
}

async function refuseNewerSchema(client: Client, known: typeof migrations): Promise<void> {
  const table = await client.query<{ present: boolean }>(
    `select to_regclass('kysely_migration') is not null as present`,
  );
  if (table.rows[0]?.present !== true) return;
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  const unknown = rows.map((row) => row.name).filter((name) => !(name in known));
  if (unknown.length > 0) {
    throw new MigrationError(
      `The database is newer than this version of Waybill: it holds the migration ${unknown.join(', ')}, and this version ` +
        `ends at ${Object.keys(known).at(-1)}. Run the version that migrated it, or restore a backup from before.`,
    );
  }
}

async function run(connectionString: string, logger: Logger, known: typeof migrations): Promise<void> {
  // A separate pool without a statement timeout: migrating a large table takes long.
  const pool = new Pool({ connectionString, max: 1, connectionTimeoutMillis: CONNECTION_TIMEOUT_MS });
  pool.on('error', (error) => logger.warn({ err: error }, 'a database connection was lost while migrating'));
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...known }) } });
    const { error, results } = await migrator.migrateToLatest();
    for (const result of results ?? []) {
      if (result.status === 'Success') logger.info({ migration: result.migrationName }, 'database migrated');
    }
    if (error !== undefined) {
      const failed = results?.find((result) => result.status === 'Error');
      throw new MigrationError(
        `The database could not be migrated${failed ? ` (${failed.migrationName})` : ''}: ` +
          `${error instanceof Error ? error.message : 'unknown error'}. That migration was rolled back.`,
        { cause: error },
      );
    }
  } finally {
    await db.destroy();
  }
}
