import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { LogStore, type LockedLog } from '../../src/proof/log-store.js';
import { createDays, dayPrefixes } from '../delivery/support/finished.js';
import { ExplainedQueries, expectFlatPlans, rowsRead } from '../delivery/support/plans.js';
import { createTestStore } from '../support/database.js';

const DAYS = 60;
/** Finished deliveries, and destinations that have them in turn. */
const ROWS = 60_000;
const DESTINATIONS = 20;
const STEP = 100;

/** Lanes, each with a log. */
const LANES = 100_000;
const LOOKS = 10;

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

it('a look for logs that have grown reads each lane and each log once', async () => {
  const client = await store.pool.connect();
  await client.query('set session_replication_role = replica');
  await client.query(
    `insert into delivery_lanes (destination_id, account_id, target_kind, next_sequence)
     select 'ed_' || n, 'acc_1', 'data_stream', 11 from generate_series(1, $1::int) n`,
    [LANES],
  );
  await client.query('set session_replication_role = origin');
  client.release();
  await store.pool.query(
    `insert into proof_logs (destination_id, account_id, epoch, first_sequence, size, root, next_at)
     select 'ed_' || n, 'acc_1', 1, 1, 10, '', now() from generate_series(1, $1::int) n`,
    [LANES],
  );
  await store.pool.query('vacuum analyze delivery_lanes, proof_logs');
  const explained = new ExplainedQueries(store);
  const look = async (db = store.db) => {
    const from = performance.now();
    expect(await new LogStore(db).due(1_000, 0)).toEqual([]);
    return performance.now() - from;
  };
  const plans = (await explained.plansOf(() => look(explained.db))).flat();
  expect(Math.max(...plans.map(rowsRead))).toBe(LANES);
  let fastest = Infinity;
  for (let at = 0; at < LOOKS; at += 1) fastest = Math.min(fastest, await look());
  console.log(`A look at ${LANES} lanes takes ${Math.round(fastest)} ms.`);
});
