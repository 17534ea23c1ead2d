import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { installOutbox } from '../../src/index.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser's connection string of the Postgres that every test shares. */
    postgresUrl: string;
  }
}

/** A database of one test. */
export interface TestDatabase {
  readonly url: string;
  /** Of a superuser. */
  readonly pool: pg.Pool;
  /** Makes the outbox as it was when it was installed. No relay may run. */
  clear(): Promise<void>;
  /** Ends every connection and drops the database. */
  close(): Promise<void>;
}

/** Options of a test's database. */
export interface TestDatabaseOptions {
  /** Whether it has the outbox. Default: true. */
  readonly installed?: boolean;
  /** Its encoding. Default: UTF8. */
  readonly encoding?: string;
}

/**
 * Creates a database on the Postgres of the run. TEST_OUTBOX_DATABASE_URL names another server, such as a Postgres 13;
 * its user must be a superuser.
 */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { installed = true, encoding = 'UTF8' } = options;
  const server = process.env['TEST_OUTBOX_DATABASE_URL'] ?? inject('postgresUrl');
  const name = `outbox_test_${randomBytes(8).toString('hex')}`;
  await runOn(server, `create database ${name} template template0 encoding '${encoding}' lc_collate 'C' lc_ctype 'C'`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 6 });
  // The last statement of a test ends the connections.
  pool.on('error', () => undefined);
  if (installed) await installOutbox(pool);
  const close = async (): Promise<void> => {
    await pool.end();
    // A pool has ended before its connections have: a connection that is terminated meanwhile is an uncaught error.
    const open = `select from pg_stat_activity where datname = '${name}'`;
    for (let look = 0; look < 100 && (await runOn(server, open)) > 0; look += 1) await setTimeout(20);
    await runOn(server, `drop database ${name} with (force)`);
  };
  const clear = async (): Promise<void> => {
    await pool.query(`
      truncate waybill_outbox.events, waybill_outbox.rejected, waybill_outbox.repairs, waybill_outbox.relay restart identity;
      insert into waybill_outbox.relay default values`);
  };
  return { url: url.href, pool, clear, close };
}

/** Returns the number of rows. */
async function runOn(connectionString: string, statement: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(statement)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

/** Runs `change` in a transaction of its own connection; rolls back if it throws. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  change: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await change(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** Resolves when the connection has ended; an error of it is no rejection. */
export async function connectionEnd(client: pg.ClientBase): Promise<void> {
  await new Promise<void>((resolve) => {
    client.once('end', resolve);
  });
}

/** The body of a recorded event. */
export type RecordedBody = Readonly<Record<string, unknown>>;

/** Returns the recorded events in order, without the default `occurred_at`. */
export async function recordedEvents(pool: pg.Pool): Promise<RecordedBody[]> {
  const { rows } = await pool.query<{ event: RecordedBody }>(
    "select event - 'occurred_at' as event from waybill_outbox.events order by position",
  );
  return rows.map(({ event }) => event);
}
