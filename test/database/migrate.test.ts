import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { sql, type Kysely } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { migrate, migrations, MigrationError } from '../../src/database/schema/migrate.js';
import type { SchemaMigration } from '../../src/database/schema/migration.js';
import { createLogger } from '../../src/logging/logger.js';
import { runStatement } from '../../tools/harness/database.js';
import { withDatabase } from '../support/test-postgres.js';

const logger = createLogger('silent');

/** Waits that end soon. */
const shortWaits = { timeoutMs: 50, retriesMs: [20], maxTries: 3 };

/** The address, with a timeout for each wait for a lock. */
function withTimeout(address: string): string {
  const timed = new URL(address);
  timed.searchParams.set('options', '-c lock_timeout=2000');
  return timed.href;
}

async function run(db: Kysely<unknown>, statement: string): Promise<void> {
  await sql.raw(statement).execute(db);
}

describe('migrations', () => {
  let name: string;
  let url: string;
  beforeEach(async () => {
    name = `waybill_migrate_${randomBytes(6).toString('hex')}`;
    await runStatement(inject('postgresUrl'), `create database ${name}`);
    url = withDatabase(inject('postgresUrl'), name);
  });
  afterEach(() => runStatement(inject('postgresUrl'), `drop database ${name} with (force)`));

  async function names(text: string): Promise<unknown[]> {
    const rows = await runStatement<{ name: unknown }>(url, text);
    return rows.map((row) => row.name);
  }

  /** The migrations of this version, and one more. */
  function withNext(next: Partial<SchemaMigration>, as = '9999_next'): typeof migrations {
    return { ...migrations, [as]: { additive: true, up: () => Promise.resolve(), ...next } };
  }

  /** A migration with an index on an existing table; `ups` counts the runs of `up`. */
  function withIndex(unique: boolean) {
    const counted = { ups: 0 };
    const next = withNext({
      up: (db) => {
        counted.ups += 1;
        return run(db, 'create table if not exists next_table (name text)');
      },
      indexes: [{ name: 'maintenance_tasks_by_due_at', unique, on: 'maintenance_tasks (due_at)' }],
    });
    return { next, counted };
  }

  const indexes = () =>
    names(`select c.relname || ' ' || i.indisvalid as name from pg_index i join pg_class c on c.oid = i.indexrelid
           where c.relname = 'maintenance_tasks_by_due_at'`);
  const addTasks = `insert into maintenance_tasks (name, due_at) values ('one', '2026-01-01'), ('two', '2026-01-01')`;

  test('migrate an empty database, and do nothing the second time', async () => {
    await migrate(url, logger);
    await migrate(url, logger);
    await expect(names('select name from schema_migrations order by name')).resolves.toEqual(Object.keys(migrations));
    await expect(names('select id as name from deliveries')).resolves.toEqual([]);
  });

  test('are listed by the names of their files, in order', async () => {
    const files = await readdir('src/database/migrations');
    const inFolder = files.flatMap((file) => /^(\d{4}_.*)\.ts$/.exec(file)?.[1] ?? []);
    expect(Object.keys(migrations)).toEqual(inFolder.toSorted());
  });

  test('lock one existing table at most, so that no deadlock with a running process is possible', async () => {
    // Written by the command that creates accounts only, which writes them first.
    const unlisted = ['accounts'];
    const locked: Record<string, readonly string[]> = {};
    /** Notes the tables that a transaction locks in a mode that waits for writers. */
    const watch = async (migration: string, db: Kysely<unknown>, work: () => Promise<void>): Promise<void> => {
      const select = sql<{ name: string }>`select relname as name from pg_class where relkind in ('r', 'p')`;
      const before = new Set((await select.execute(db)).rows.map((row) => row.name));
      await work();
      const { rows } = await sql<{ name: string }>`
        -- A partition counts as its table: a writer locks that first.
        select distinct coalesce(root.relname, c.relname) as name from pg_locks l join pg_class c on c.oid = l.relation
        left join pg_class root on root.oid = pg_partition_root(c.oid)
        where l.pid = pg_backend_pid() and l.locktype = 'relation' and c.relkind = 'r'
          and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
        order by 1`.execute(db);
      locked[migration] = rows.map((row) => row.name).filter((table) => before.has(table) && !unlisted.includes(table));
    };
    const watched = (migrationName: string, migration: SchemaMigration): SchemaMigration => ({
      ...migration,
      up: (db) => watch(migrationName, db, () => migration.up(db)),
    });
    const tables = ['maintenance_tasks', 'worker_presences'];
    const locking = (some: readonly string[]): SchemaMigration => ({
      additive: true,
      up: (db) => run(db, some.map((table) => `alter table ${table} add column note_${some.length} text`).join(';')),
    });
    // Without the baseline: it creates every table that it locks.
    await migrate(url, logger, Object.fromEntries(Object.entries(migrations).slice(0, 1)));
    const later = Object.entries({
      ...migrations,
      '9998_one_table': locking(tables.slice(0, 1)),
      '9999_two_tables': locking(tables),
    });
    await migrate(
      url,
      logger,
      Object.fromEntries(later.map(([known, migration]) => [known, watched(known, migration)])),
    );
    const several = Object.entries(locked).filter(([, lockedTables]) => lockedTables.length > 1);
    expect(several).toEqual([['9999_two_tables', tables]]);
    expect(locked['9998_one_table']).toEqual(['maintenance_tasks']);
  });

  test('run once when many processes start at once', async () => {
    let runs = 0;
    const counted = withNext({
      up: async (db) => {
        runs += 1;
        await run(db, 'create table counted (name text)');
        await run(db, 'select pg_sleep(0.2)');
      },
      // A process that waited for the lock in a statement would keep the index from being built.
      indexes: [{ name: 'maintenance_tasks_by_due_at', on: 'maintenance_tasks (due_at)' }],
    });
    await Promise.all(Array.from({ length: 8 }, () => migrate(url, logger, counted)));
    expect(runs).toBe(1);
    await expect(indexes()).resolves.toEqual(['maintenance_tasks_by_due_at true']);
  });

  test('refuse a database of a newer version that is not additive, and name its migration', async () => {
    await migrate(url, logger, withNext({ additive: false }, '9999_from_the_future'));
    await expect(migrate(url, logger)).rejects.toThrow(
      new RegExp(`newer than this version.*9999_from_the_future.*ends at ${Object.keys(migrations).at(-1)}`),
    );
  });

  test('let the previous version start on a database whose newer migrations are additive', async () => {
    const next = withNext({ up: (db) => run(db, 'create table next_table (name text)') });
    await migrate(url, logger, next);
    await migrate(url, logger);
    await migrate(url, logger, next);
    const recorded = await names('select name from schema_migrations order by name');
    expect(recorded).toEqual([...Object.keys(migrations), '9999_next']);
  });

  test('roll back a failed migration, and name it', async () => {
    const failing = migrate(
      url,
      logger,
      withNext({
        up: async (db) => {
          await run(db, 'create table half_done (name text)');
          await run(db, 'select 1 / 0');
        },
      }),
    );
    await expect(failing).rejects.toThrow(MigrationError);
    await expect(failing).rejects.toThrow(/9999_next.*division by zero/);
    await expect(names(`select relname as name from pg_class where relname = 'half_done'`)).resolves.toEqual([]);
    await migrate(url, logger);
  });

  test('build an index while others write to its table', async () => {
    await migrate(url, logger);
    const writer = new Client({ connectionString: url });
    await writer.connect();
    await writer.query('begin');
    await writer.query(addTasks);
    const migrating = migrate(url, logger, withIndex(false).next);
    const building = () =>
      names(`select query as name from pg_stat_activity where query like 'create index conc%'
                                  and wait_event_type = 'Lock' and datname = current_database()`);
    await expect.poll(building).toHaveLength(1);
    // A plain CREATE INDEX would wait for the writer, and this statement for the CREATE INDEX.
    await runStatement(
      withTimeout(url),
      `insert into maintenance_tasks (name, due_at) values ('three', now()) returning name`,
    );
    await writer.query('commit');
    await writer.end();
    await migrating;
    await expect(indexes()).resolves.toEqual(['maintenance_tasks_by_due_at true']);
  });

  test('continue after an interruption: the change is not repeated, the index is built', async () => {
    await migrate(url, logger);
    await runStatement(url, addTasks);
    const { next, counted } = withIndex(true);
    await expect(migrate(url, logger, next)).rejects.toThrow(/9999_next.*could not create unique index/);
    await expect(indexes()).resolves.toEqual([]);
    // What an interrupted build leaves.
    await expect(
      runStatement(url, 'create unique index concurrently maintenance_tasks_by_due_at on maintenance_tasks (due_at)'),
    ).rejects.toThrow('could not create unique index');
    await expect(indexes()).resolves.toEqual(['maintenance_tasks_by_due_at false']);
    await runStatement(url, `delete from maintenance_tasks where name = 'two'`);
    await migrate(url, logger, next);
    await expect(indexes()).resolves.toEqual(['maintenance_tasks_by_due_at true']);
    expect(counted.ups).toBe(1);
  });

  test('wait for a lock for a short time, and try again until it is free', async () => {
    await migrate(url, logger);
    const reader = new Client({ connectionString: url });
    await reader.connect();
    await reader.query('begin');
    await reader.query('select from maintenance_tasks');
    let tries = 0;
    const next = withNext({
      up: async (db) => {
        tries += 1;
        // The third try finds the lock free.
        if (tries === 3) await reader.query('commit');
        await run(db, 'alter table maintenance_tasks add column note text');
      },
    });
    await expect(migrate(url, logger, next, { ...shortWaits, maxTries: 2 })).rejects.toThrow(
      /9999_next.*lock timeout.*End the transaction that holds the lock/,
    );
    await migrate(url, logger, next, shortWaits);
    expect(tries).toBe(3);
    await reader.end();
  });
});
