import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase, type Transaction } from '../../src/database/database.js';
import {
  addDays,
  dayBounds,
  DayPartitions,
  daysBetween,
  partitionName,
  startOfDay,
} from '../../src/database/partitions/day-partitions.js';
import type { Store } from '../../src/database/store.js';
import { createLogger } from '../../src/logging/logger.js';
import { createTestStore } from '../support/database.js';

const table = { name: 'notes', key: 'id', prefix: 'nt', storage: 'autovacuum_enabled = off' };
const today = startOfDay(new Date('2026-03-01T12:00:00Z'));
const yesterday = new Date('2026-02-28T00:00:00Z');

let store: Store;
let partitions: DayPartitions;
beforeEach(async () => {
  store = await createTestStore();
  await store.pool.query(`
    create table notes (id text collate "C" not null, body text, primary key (id)) partition by range (id);
    create table notes_default partition of notes default`);
  partitions = new DayPartitions(store.db, table);
});
afterEach(() => store.close());

function withOptions(connectionString: string, options: string): string {
  const url = new URL(connectionString);
  url.searchParams.set('options', options);
  return url.toString();
}

/** An id of a day, with a number. */
const idOf = (day: Date, number: number) => `${dayBounds('nt', day)[0]}${String(number).padStart(16, '0')}`;

async function insert(day: Date, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => idOf(day, index));
  await store.pool.query(`insert into notes select id, 'text' from unnest($1::text[]) id`, [ids]);
}

/** The number of rows in each partition. */
async function counts(): Promise<Record<string, number>> {
  const { rows } = await store.pool.query<{ name: string; count: number }>(
    `select tableoid::regclass::text as name, count(*)::int as count from notes group by 1`,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

it('creates the missing days once, with indexes and storage parameters', async () => {
  const days = daysBetween(yesterday, new Date(today.getTime() + 86_400_000));
  await expect(partitions.ensure(days)).resolves.toEqual([]);
  await expect(partitions.ensure(days)).resolves.toEqual([]);
  const found = await partitions.list();
  expect(found.map(({ name }) => name)).toEqual(['notes_20260228', 'notes_20260301', 'notes_20260302']);
  expect(found.map(({ day }) => day)).toEqual(days);
  const { rows } = await store.pool.query(
    `select reloptions, (select count(*)::int from pg_index where indrelid = c.oid and indisprimary) as keys
     from pg_class c where relname = 'notes_20260301'`,
  );
  expect(rows).toEqual([{ reloptions: ['autovacuum_enabled=off'], keys: 1 }]);
});

it('puts each row into the partition of its day, and others into the default partition', async () => {
  await partitions.ensure([yesterday, today]);
  await insert(yesterday, 2);
  await insert(today, 3);
  await insert(new Date('2020-01-01'), 1);
  expect(await counts()).toEqual({ notes_20260228: 2, notes_20260301: 3, notes_default: 1 });
});

it('moves a few rows of a new day out of the default partition, and leaves many there', async () => {
  await insert(yesterday, 10_001);
  await insert(today, 10_000);
  await expect(partitions.ensure([yesterday, today])).resolves.toEqual([yesterday]);
  expect(await counts()).toEqual({ notes_default: 10_001, notes_20260301: 10_000 });
  expect((await partitions.list()).map(({ name }) => name)).toEqual(['notes_20260301']);
});

it('attaches a day ahead without reading the default partition', async () => {
  const ahead = startOfDay(addDays(new Date(), 3));
  await insert(new Date('2020-01-01'), 10);
  const messages: string[] = [];
  const { db, pool } = openDatabase({
    connectionString: withOptions(store.connectionString, '-c client_min_messages=debug1'),
    poolSize: 1,
    applicationName: 'verbose',
    logger: createLogger('silent'),
  });
  pool.on('connect', (client) => client.on('notice', ({ message }) => messages.push(message ?? '')));
  try {
    await expect(new DayPartitions(db, table).ensure([ahead])).resolves.toEqual([]);
  } finally {
    await db.destroy();
  }
  expect(messages).toContainEqual(
    'updated partition constraint for default partition "notes_default" is implied by existing constraints',
  );
  await insert(ahead, 1);
  await store.pool.query(`drop table ${partitionName('notes', ahead)}`);
  // Nothing is left that would refuse it.
  await insert(ahead, 1);
  expect(await counts()).toEqual({ notes_default: 11 });
});

it('creates a day ahead with the few rows that a clock ahead has written', async () => {
  const ahead = startOfDay(addDays(new Date(), 3));
  await insert(ahead, 2);
  await expect(partitions.ensure([ahead])).resolves.toEqual([]);
  expect(await counts()).toEqual({ [partitionName('notes', ahead)]: 2 });
});

it('accepts the rows of a day whose partition a killed process has begun to create', async () => {
  await insert(today, 10_001);
  await store.pool.query(
    `alter table notes_default add constraint notes_20260301_excluded check (id < '${idOf(today, 0)}') not valid`,
  );
  await expect(partitions.ensure([today])).resolves.toEqual([today]);
  await store.pool.query(`insert into notes values ($1, 'text')`, [idOf(today, 10_001)]);
  expect(await counts()).toEqual({ notes_default: 10_002 });
});

it('drops such a constraint whose partition exists', async () => {
  await partitions.ensure([today]);
  await store.pool.query(
    `alter table notes_default add constraint notes_20260301_excluded check (id < '${idOf(today, 0)}') not valid`,
  );
  await partitions.ensure([today]);
  await store.pool.query('drop table notes_20260301');
  await insert(today, 1);
  expect(await counts()).toEqual({ notes_default: 1 });
});

it('lets writers of a day write while its partition is created', async () => {
  await insert(today, 9_000);
  const creating = { ended: false };
  const created = partitions.ensure([today]).finally(() => {
    creating.ended = true;
  });
  let written = 9_000;
  while (!creating.ended) {
    await store.pool.query(`insert into notes values ($1, 'text')`, [idOf(today, written)]);
    written += 1;
  }
  await expect(created).resolves.toEqual([]);
  expect(await counts()).toEqual({ notes_20260301: written });
});

it('drops a partition when it is due', async () => {
  await partitions.ensure([today]);
  await insert(today, 1);
  const [partition] = await partitions.list();
  if (!partition) throw new Error('no partition');
  const isEmpty = async (trx: Transaction): Promise<boolean> => {
    const { rows } = await sql`select from ${sql.id(partition.name)} limit 1`.execute(trx);
    return rows.length === 0;
  };
  await expect(partitions.drop(partition, isEmpty)).resolves.toBe('kept');
  expect(await counts()).toEqual({ notes_20260301: 1 });
  await expect(partitions.drop(partition, () => Promise.resolve(true))).resolves.toBe('dropped');
  expect(await partitions.list()).toEqual([]);
  // A second process that listed it before finds nothing.
  await expect(partitions.drop(partition, () => Promise.resolve(true))).resolves.toBe('dropped');
});

it('lets writers continue while a reader holds the partition that is due', async () => {
  await partitions.ensure([yesterday, today]);
  const reader = new Client({ connectionString: store.connectionString });
  await reader.connect();
  try {
    await reader.query('begin; select count(*) from notes');
    const [oldest] = await partitions.list();
    if (!oldest) throw new Error('no partition');
    const dropping = { ended: false };
    const dropped = partitions
      .drop(oldest, () => Promise.resolve(true))
      .finally(() => {
        dropping.ended = true;
      });
    let written = 0;
    while (!dropping.ended) {
      await store.pool.query(`insert into notes values ($1, 'text')`, [idOf(today, written)]);
      written += 1;
    }
    await expect(dropped).resolves.toBe('busy');
    // It was written between the tries: a lone wait would have lasted until the end of the reader.
    expect(written).toBeGreaterThan(10);
    await expect(partitions.ensure([new Date('2026-03-02')])).resolves.toHaveLength(1);
    await reader.query('commit');
    await expect(partitions.drop(oldest, () => Promise.resolve(true))).resolves.toBe('dropped');
    await expect(partitions.ensure([new Date('2026-03-02')])).resolves.toEqual([]);
  } finally {
    await reader.end();
  }
});

it('prunes to the partition of a day in a generic plan', async () => {
  await partitions.ensure([yesterday, today]);
  const plan = await store.db.connection().execute(async (connection) => {
    await sql`set plan_cache_mode = force_generic_plan`.execute(connection);
    await sql`prepare by_id (text) as select body from notes where id = $1`.execute(connection);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (analyze, costs off, timing off, summary off) execute by_id (${sql.lit(idOf(today, 1))})`.execute(
      connection,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toContain('Subplans Removed: 2');
  expect(plan).toContain('notes_20260301');
  expect(plan).not.toContain('notes_20260228');
});
