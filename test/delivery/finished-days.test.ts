import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { FinishedDays } from '../../src/delivery/finished/finished-days.js';
import { BatchStore } from '../../src/delivery/lanes/batch-store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import { RedeliveryStore } from '../../src/delivery/redelivery/redelivery-store.js';
import { idBound } from '../../src/ids/id-time.js';
import { newId } from '../../src/ids/id.js';
import { createLogger } from '../../src/logging/logger.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { createTestStore } from '../support/database.js';
import { marksOf } from '../support/retention-marks.js';
import { testKeyRing } from '../support/secrets.js';
import { createDay, dayAgo, finishDeliveries, finishedDay } from './support/finished.js';
import { healthySettlement } from './support/healthy-settlement.js';
import { deliveriesOf, seedAccount, seedDestination, type SeededDestination } from './support/seed.js';

const DAY = 86_400_000;
const RETENTION_DAYS = 90;
const control = { stopped: new AbortController().signal, progressed: () => {} };

let store: Store;
let days: FinishedDays;
let redeliveries: RedeliveryStore;
let destination: SeededDestination;

beforeEach(async () => {
  store = await createTestStore();
  days = new FinishedDays(store.db, RETENTION_DAYS * DAY, createLogger('silent'), async () => null);
  redeliveries = new RedeliveryStore(store.db);
  const lanes = new LaneStore(store.db, targetLimits);
  destination = await seedDestination(store, new SecretStore(testKeyRing()), lanes, await seedAccount(store));
});
afterEach(() => store.close());

/** Creates events of a past day, whose deliveries were delivered so many days ago. Returns their ids. */
async function delivered(eventDaysAgo: number, finishedDaysAgo: number, count = 1): Promise<readonly string[]> {
  const bound = idBound('evt', dayAgo(eventDaysAgo));
  const ids = Array.from({ length: count }, () => `${bound}${newId('evt').slice(bound.length)}`);
  const createdAt = dayAgo(eventDaysAgo);
  await store.pool.query(
    `insert into events (id, account_id, type, resource_id, payload, created_at, commitment)
     select id, $2, 'ip_policy_created.v0', 'ipp_1', '{}', $3, '' from unnest($1::text[]) id`,
    [ids, destination.accountId, createdAt],
  );
  await store.pool.query(
    `insert into deliveries (event_id, destination_id, account_id, created_at)
     select id, $2, $3, $4 from unnest($1::text[]) id`,
    [ids, destination.id, destination.accountId, createdAt],
  );
  await finishDeliveries(store, ids, { state: 'delivered', daysAgo: finishedDaysAgo });
  return ids;
}

/** Each finished delivery with the partition that holds it. */
async function partitionsByEvent(): Promise<Record<string, string>> {
  const { rows } = await store.pool.query<{ event_id: string; name: string }>(
    'select event_id, tableoid::regclass::text as name from finished_deliveries',
  );
  return Object.fromEntries(rows.map(({ event_id, name }) => [event_id, name]));
}

async function exists(name: string): Promise<boolean> {
  return (await store.pool.query('select from pg_class where relname = $1', [name])).rowCount === 1;
}

/** Delivers what waits, as a worker does. */
async function deliver(): Promise<void> {
  const lanes = new LaneStore(store.db, targetLimits);
  const batchId = newId('bat');
  await lanes.claim(destination.id, batchId);
  const grant = await lanes.lease(destination.id, batchId, newId('att'), 60_000);
  if (grant.kind !== 'granted') throw new Error(grant.kind);
  const sent = (await new BatchStore(store.db, 'log.test').load(grant.lease)).map(({ id, event: { sequence } }) => ({
    id,
    sequence,
  }));
  await lanes.settle(grant.lease, { ...healthySettlement, delivered: sent, undelivered: [] });
}

it('has partitions for today and the next days, and creates them when days have passed', async () => {
  const present = async () => {
    const { rows } = await store.pool.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'finished_deliveries'::regclass`,
    );
    return rows.map(({ name }) => name).toSorted();
  };
  const names = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, index) => finishedDay(from - index));
  expect(await present()).toEqual([...names(1, -3), 'finished_deliveries_default']);
  for (const name of names(-1, -3)) await store.pool.query(`drop table ${name}`);
  await days.run(control);
  expect(await present()).toEqual([...names(1, -3), 'finished_deliveries_default']);
});

it('logs the days that it could not create', async () => {
  const day = dayAgo(-2);
  await store.pool.query(`drop table ${finishedDay(-2)}`);
  await store.pool.query(
    `insert into finished_deliveries (id, created_at, finished_at, attempts, event_id, destination_id, account_id, state)
     select n, now(), now(), 1, $1 || lpad(n::text, 16, '0'), $2, $3, 'delivered' from generate_series(1, 10001) n`,
    [idBound('evt', day), destination.id, destination.accountId],
  );
  const lines: string[] = [];
  const logger = createLogger('warn', { write: (line) => lines.push(line) });
  await new FinishedDays(store.db, RETENTION_DAYS * DAY, logger, async () => null).run(control);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'a partition of finished deliveries could not be created', days: [day.toISOString()] },
  ]);
});

it('drops a day when all of it finished longer ago than the retention, and not before', async () => {
  const [due, late, young] = [await createDay(store, 92), await createDay(store, 93), await createDay(store, 89)];
  await delivered(92, 91, 3);
  const keptLate = await delivered(93, 2);
  await delivered(93, 92, 5);
  await delivered(89, 89);
  expect(await marksOf(store)).toEqual({});
  expect(await days.run(control)).toEqual({ dropped: 1, busy: 0, removed: 0 });
  // From the end of the dropped day on, and not later than the retention.
  const { deliveries: since } = await marksOf(store);
  expect(since?.getTime()).toBeGreaterThanOrEqual(dayAgo(91).getTime());
  expect(since?.getTime()).toBeLessThanOrEqual(Date.now() - RETENTION_DAYS * DAY + 1);
  expect([await exists(due), await exists(late), await exists(young)]).toEqual([false, true, true]);
  expect(Object.keys(await partitionsByEvent())).toHaveLength(7);
  // The late one becomes due as well.
  await store.pool.query(
    `update finished_deliveries set finished_at = now() - interval '91 days' where event_id = $1`,
    [keptLate[0]],
  );
  expect(await days.run(control)).toEqual({ dropped: 1, busy: 0, removed: 0 });
  expect(await exists(late)).toBe(false);
});

it('decides by the summary of a day, not by reading it', async () => {
  const name = await createDay(store, 95);
  await delivered(95, 94, 20_000);
  await store.pool.query(`vacuum analyze ${name}`);
  const client = await store.pool.connect();
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': readonly { Plan: Record<string, number> }[] }>(
      `explain (analyze, buffers, timing off, format json)
       select from ${name} where finished_at > now() - interval '90 days' limit 1`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    const read = (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
    const { rows: sizes } = await client.query<{ pages: number }>(
      `select (pg_relation_size('${name}') / 8192)::int as pages`,
    );
    expect(sizes[0]?.pages).toBeGreaterThan(400);
    // At most one range of pages, which is not summarized yet.
    expect(read).toBeLessThan(160);
  } finally {
    client.release();
  }
});

it('keeps what is outside of the days in the default partition, and removes it row by row', async () => {
  const old = await delivered(500, 91, 1_500);
  const redelivered = await delivered(500, 1);
  const future = await delivered(-50, 0);
  expect(new Set(Object.values(await partitionsByEvent()))).toEqual(new Set(['finished_deliveries_default']));
  expect(await days.run(control)).toEqual({ dropped: 0, busy: 0, removed: old.length });
  expect(await marksOf(store)).toEqual({ deliveries: new Date(dayAgo(500).getTime() + 1) });
  expect(Object.keys(await partitionsByEvent()).toSorted()).toEqual([...redelivered, ...future].toSorted());
});

it('puts a late redelivery back into its day, and keeps the day for it', async () => {
  const name = await createDay(store, 92);
  const ids = await delivered(92, 91, 2);
  const [first = ''] = ids;
  const before = await deliveriesOf(store, destination.id);
  const found = await redeliveries.find(destination.accountId, destination.id, [first]);
  expect(await redeliveries.redeliver(destination.id, [...found.values()])).toBe(1);
  expect(await partitionsByEvent()).toEqual({ [ids[1] ?? '']: name });
  await deliver();
  expect(await partitionsByEvent()).toEqual({ [first]: name, [ids[1] ?? '']: name });
  const after = await deliveriesOf(store, destination.id);
  expect(after.map(({ event_id: id }) => id)).toEqual(before.map(({ event_id: id }) => id));
  expect(await days.run(control)).toEqual({ dropped: 0, busy: 0, removed: 0 });
});

it('keeps a delivery whose day is dropped while it is redelivered', async () => {
  const name = await createDay(store, 92);
  const [first = ''] = await delivered(92, 91, 2);
  const found = await redeliveries.find(destination.accountId, destination.id, [first]);
  await redeliveries.redeliver(destination.id, [...found.values()]);
  expect(await days.run(control)).toMatchObject({ dropped: 1 });
  expect(await exists(name)).toBe(false);
  await deliver();
  expect(await partitionsByEvent()).toEqual({ [first]: 'finished_deliveries_default' });
  expect(await days.run(control)).toEqual({ dropped: 0, busy: 0, removed: 0 });
  expect(await deliveriesOf(store, destination.id)).toMatchObject([
    { event_id: first, state: 'delivered', sequence: 1 },
  ]);
});

it('does not drop a day under a redelivery that is not committed, which wins', async () => {
  const name = await createDay(store, 92);
  const [first = ''] = await delivered(92, 91);
  const other = await store.pool.connect();
  try {
    // A settlement of a redelivery, between its start and its commit.
    await other.query('begin');
    await other.query('update finished_deliveries set finished_at = now() where event_id = $1', [first]);
    const keeping = days.run(control);
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await store.pool.query(waiting)).rowCount, { interval: 5 }).toBe(1);
    await other.query('commit');
    expect(await keeping).toEqual({ dropped: 0, busy: 0, removed: 0 });
  } finally {
    other.release();
  }
  expect(await partitionsByEvent()).toEqual({ [first]: name });
  expect(await marksOf(store)).toEqual({});
});

it('redelivers once when two requests meet', async () => {
  await delivered(0, 0, 50);
  const ids = (await deliveriesOf(store, destination.id)).map(({ event_id: id }) => id);
  const found = [...(await redeliveries.find(destination.accountId, destination.id, ids)).values()];
  const counts = await Promise.all([1, 2, 3, 4].map(() => redeliveries.redeliver(destination.id, found)));
  expect(counts.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 50]);
  const { rows } = await store.pool.query('select from all_deliveries where destination_id = $1', [destination.id]);
  expect(rows).toHaveLength(50);
});
