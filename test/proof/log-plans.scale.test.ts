import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { LogStore, type LockedLog } from '../../src/proof/log-store.js';
import { createDays, dayPrefixes } from '../delivery/support/finished.js';
import { ExplainedQueries, expectFlatPlans } from '../delivery/support/plans.js';
import { createTestStore } from '../support/database.js';

const DAYS = 60;
/** Finished deliveries, and destinations that have them in turn. */
const ROWS = 60_000;
const DESTINATIONS = 20;
const STEP = 100;

let store: Store;
beforeAll(async () => {
  store = await createTestStore({ poolSize: 2 });
  await createDays(store, DAYS);
  const ids = `($1::text[])[1 + (n - 1) * $2 / $3] || lpad(n::text, 16, '0')`;
  await store.pool.query(
    `insert into events (id, account_id, type, resource_id, payload, created_at, salt, commitment)
     select ${ids}, 'acc_1', 'ip_policy_created.v0', 'ipp_1', '{}', now(), '', sha256(n::text::bytea)
     from generate_series(1, $3::int) n`,
    [dayPrefixes(DAYS), DAYS, ROWS],
  );
  await store.pool.query(
    `insert into finished_deliveries (id, event_id, destination_id, account_id, state, sequence, attempts, created_at, finished_at)
     select n, ${ids}, 'ed_' || n % $4, 'acc_1', 'delivered', 1 + (n - 1) / $4, 1, now(), now()
     from generate_series(1, $3::int) n`,
    [dayPrefixes(DAYS), DAYS, ROWS, DESTINATIONS],
  );
  await store.pool.query('vacuum analyze finished_deliveries, events');
});
afterAll(() => store.close());

it('a step of a log reads the rows of its leaves, however many are finished before and after them', async () => {
  const explained = new ExplainedQueries(store);
  const size = ROWS / DESTINATIONS / 2;
  const log: LockedLog = {
    id: 1,
    destinationId: 'ed_3',
    accountId: 'acc_1',
    epoch: 1,
    firstSequence: 1,
    size,
    root: Buffer.alloc(0),
    note: null,
    signedSize: 0,
    cosignedNote: null,
    isUnsigned: false,
    signedMsAgo: 0,
  };
  const found = await new LogStore(explained.db).continuation(log, STEP);
  expect(found.leaves.length / 32).toBe(STEP);
  expect(found.isFull).toBe(true);
  await expectFlatPlans(explained, () => new LogStore(explained.db).continuation(log, STEP), STEP + DAYS);
  await expectFlatPlans(explained, () => new LogStore(explained.db).edge(log), STEP);
});
