import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { idBound } from '../../src/ids/id-time.js';
import { createTestStore } from '../support/database.js';

const ROWS = 4_000;

let store: Store;
beforeAll(async () => {
  store = await createTestStore({ poolSize: 1 });
});
afterAll(() => store.close());

interface Wal {
  readonly 'WAL Records': number;
  readonly 'WAL Bytes': number;
}

/** Returns how much one row of a statement that inserts `ROWS` rows writes to the log of Postgres. */
async function walOf(insert: string, values: readonly unknown[]): Promise<{ records: number; bytes: number }> {
  const { rows } = await store.pool.query<{ 'QUERY PLAN': readonly { Plan: Wal }[] }>(
    `explain (analyze, wal, timing off, format json) ${insert}`,
    [...values],
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error('There is no plan.');
  return { records: plan['WAL Records'] / ROWS, bytes: plan['WAL Bytes'] / ROWS };
}

/** Writes one row with all indexes, and one without those of search. Returns what the indexes add. */
async function costOf(indexes: readonly string[], insert: string): Promise<{ records: number; bytes: number }> {
  const prefix = idBound('evt', new Date());
  // The first pages of the indexes.
  await walOf(insert, [prefix, 1, ROWS]);
  const having = await walOf(insert, [prefix, ROWS + 1, 2 * ROWS]);
  await store.pool.query(`drop index ${indexes.join(', ')}`);
  const without = await walOf(insert, [prefix, 2 * ROWS + 1, 3 * ROWS]);
  return { records: having.records - without.records, bytes: having.bytes - without.bytes };
}

it('an event writes one record for each of the four indexes of search', async () => {
  const { records, bytes } = await costOf(
    ['events_by_object', 'events_by_principal', 'events_by_credential', 'events_by_operation'],
    `insert into events (id, account_id, type, resource_id, payload, created_at, principal_id, credential_id, operation_id,
                         commitment)
     select $1 || lpad(n::text, 16, '0'), 'acct_1', 'ip_policy_created.v0', 'ipp_' || md5(n::text), repeat('x', 1000), now(),
            'usr_01bench00000000000000000' || n % 20, 'ak_01bench00000000000000000' || n % 40, 'op_01bench' || lpad(n::text, 19, '0'), ''
     from generate_series($2::int, $3::int) n`,
  );
  expect(records).toBeGreaterThan(3.9);
  // An index of a new id splits a page now and then.
  expect(records).toBeLessThan(4.5);
  expect(bytes).toBeGreaterThan(0);
});

it('a finished delivery writes one record for the index of numbers', async () => {
  const { records, bytes } = await costOf(
    ['finished_deliveries_by_sequence'],
    `insert into finished_deliveries (id, event_id, destination_id, account_id, state, sequence, attempts, created_at, finished_at)
     select n, $1 || lpad(n::text, 16, '0'), 'ed_01bench0000000000000000000' || n % 10, 'acct_1', 'delivered', n / 10, 1, now(), now()
     from generate_series($2::int, $3::int) n`,
  );
  expect(records).toBeGreaterThan(0.9);
  expect(records).toBeLessThan(1.1);
  expect(bytes).toBeGreaterThan(0);
});
