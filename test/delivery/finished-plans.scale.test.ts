import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { createTestStore } from '../support/database.js';
import { createDays, dayPrefixes } from './support/finished.js';

const DAYS = 90;
/** Finished deliveries, and destinations that have them in turn. */
const ROWS = 45_000;
const DESTINATIONS = 10;
const PAGE = 100;
/** Most blocks that a list reads of each day for its first row: the levels of an index, and the table. */
const BLOCKS_OF_A_DAY = 4;

let oneDay: Store;
let manyDays: Store;

/** Finished deliveries of so many days, the same number in any case. */
async function finishedIn(days: number): Promise<Store> {
  const store = await createTestStore({ poolSize: 1 });
  await createDays(store, days);
  const prefixes = dayPrefixes(days);
  await store.pool.query(
    `insert into finished_deliveries (id, event_id, destination_id, account_id, state, sequence, attempts, created_at, finished_at)
     select n, ($1::text[])[1 + (n - 1) * $2 / $3] || lpad(n::text, 16, '0'), 'ed_' || n % $4, 'acc_1', 'delivered', n, 1,
            now() - ($3 - n) * interval '1 second', now()
     from generate_series(1, $3::int) n`,
    [prefixes, days, ROWS, DESTINATIONS],
  );
  await store.pool.query('vacuum analyze finished_deliveries');
  return store;
}

beforeAll(async () => {
  [oneDay, manyDays] = [await finishedIn(1), await finishedIn(DAYS)];
});
afterAll(() => Promise.all([oneDay.close(), manyDays.close()]));

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

/** The blocks that a query reads. */
async function blocksOf(store: Store, query: string): Promise<number> {
  const { rows } = await store.pool.query<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(
    `explain (analyze, buffers, timing off, format json) ${query}`,
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  return (plan?.['Shared Hit Blocks'] ?? Number.NaN) + (plan?.['Shared Read Blocks'] ?? Number.NaN);
}

it.each([
  { order: 'id', where: 'true' },
  { order: 'created_at desc, id', where: `state = 'delivered'` },
])('a list in the order of $order reads a few blocks more for each day, and no more', async ({ order, where }) => {
  const list = `select * from all_deliveries where destination_id = 'ed_3' and ${where} order by ${order} desc limit ${PAGE}`;
  const [one, many] = [await blocksOf(oneDay, list), await blocksOf(manyDays, list)];
  expect(many - one).toBeLessThanOrEqual(DAYS * BLOCKS_OF_A_DAY);
  // A page of rows has its own block each at worst.
  expect(one).toBeLessThanOrEqual(PAGE + 20);
});

it('reads by event touch one day, also by a plan that is made for any event', async () => {
  const id = `${dayPrefixes(DAYS)[40]}${String(Math.ceil((40 * ROWS) / DAYS) + 3).padStart(16, '0')}`;
  const found = `select id from all_deliveries where event_id = '${id}' and destination_id = 'ed_3'`;
  expect((await manyDays.pool.query(found)).rowCount).toBe(1);
  expect(await blocksOf(manyDays, found)).toBeLessThan(10);
  const plan = await manyDays.db.connection().execute(async (connection) => {
    await sql`set plan_cache_mode = force_generic_plan`.execute(connection);
    await sql`prepare by_event (text) as select id from all_deliveries where event_id = $1`.execute(connection);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (analyze, timing off, summary off) execute by_event (${sql.lit(id)})`.execute(connection);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  // Of the days, the default partition, and those ahead.
  const removed = Number(/Subplans Removed: (\d+)/.exec(plan)?.[1]);
  expect(removed).toBeGreaterThanOrEqual(DAYS);
  expect(plan.match(/ on finished_deliveries_\w+/g)).toHaveLength(1);
});
