import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import type { DeliveryFilter, DeliveryRange } from '../../src/destinations/deliveries/search/delivery-filter.js';
import {
  DeliverySearchStore,
  type FoundDeliveries,
} from '../../src/destinations/deliveries/search/delivery-search-store.js';
import { idBound } from '../../src/ids/id-time.js';
import { createDays, dayAgo, finishedDay } from '../delivery/support/finished.js';
import { ExplainedQueries, rowsRead } from '../delivery/support/plans.js';
import { seedAccount } from '../delivery/support/seed.js';
import { createTestStore } from '../support/database.js';

const DAYS = 20;
const HOURS = 24 * DAYS;
/** Events of an hour, each with a rejected delivery to `ed_0`. */
const OF_HOUR = 20;
const OF_DAY = 24 * OF_HOUR;
/** Deliveries of today that wait at `ed_0` once more, with their numbers. */
const REDELIVERED = 3_000;
const PAGE = 100;
/** The day that is searched: so many days ago, from ten to twelve o'clock. */
const SEARCHED = 15;
const TEN = 10 * 3_600_000;
const times = {
  from: new Date(dayAgo(SEARCHED).getTime() + TEN).toISOString(),
  to: new Date(dayAgo(SEARCHED).getTime() + TEN + 2 * 3_600_000).toISOString(),
};

let store: Store;
let accountId: string;
/** The ids of the deliveries of that time, oldest first. */
let expected: readonly number[];

beforeAll(async () => {
  store = await createTestStore();
  accountId = await seedAccount(store);
  await createDays(store, DAYS);
  const begin = dayAgo(DAYS - 1).getTime();
  const hours = Array.from({ length: HOURS }, (_, hour) => new Date(begin + hour * 3_600_000));
  const run = (text: string, ...values: readonly unknown[]) => store.pool.query(text, [...values]);
  await run(
    `insert into events (id, account_id, type, resource_id, payload, created_at, principal_id, operation_id, commitment)
     select prefix || lpad(n::text, 16, '0'), $3, 'note_created.v0', 'note_' || n, '{}', hour, 'usr_1', 'op_1', ''
     from unnest($1::text[], $2::timestamptz[]) as hours (prefix, hour) cross join generate_series(1, $4::int) n`,
    hours.map((hour) => idBound('evt', hour)),
    hours,
    accountId,
    OF_HOUR,
  );
  await run(
    `insert into resources (id, account_id, kind, attributes, created_at, updated_at)
     values ('ed_0', $1, 'event_destination', '{}', now(), now())`,
    accountId,
  );
  await run(
    `insert into delivery_lanes (destination_id, account_id, target_kind) values ('ed_0', $1, 'data_stream')`,
    accountId,
  );
  await run(
    `insert into finished_deliveries (id, event_id, destination_id, account_id, state, sequence, attempts, created_at, finished_at)
     select n, id, 'ed_0', account_id, 'rejected', n, 1, created_at, created_at
     from (select row_number() over (order by id) as n, * from events) e`,
  );
  await run(
    `insert into deliveries (id, event_id, destination_id, account_id, sequence, created_at, redelivered_at)
     overriding system value
     select $1 + n, $2 || lpad(n::text, 16, '0'), 'ed_0', $3, $1 + n, now(), now() from generate_series(1, $4::int) n`,
    OF_HOUR * HOURS,
    idBound('evt', new Date()),
    accountId,
    REDELIVERED,
  );
  await run('vacuum analyze');
  const { rows } = await store.pool.query<{ id: number }>(
    `select d.id from finished_deliveries d join events e on e.id = d.event_id
     where e.created_at >= $1 and e.created_at < $2 order by d.id`,
    [times.from, times.to],
  );
  expected = rows.map(({ id }) => id);
});
afterAll(() => store.close());

/** Every page of a search, and what its statements read. */
async function pagesOf(filter: DeliveryFilter, order: DeliveryRange['order'], mostScanned: number) {
  const explained = new ExplainedQueries(store);
  const search = new DeliverySearchStore(explained.db, mostScanned);
  const pages: { ids: readonly number[]; rows: number; partitions: ReadonlySet<string> }[] = [];
  for (let at: string | undefined; ;) {
    const cursor = at === undefined ? undefined : { deliveryId: Number(at.slice('dlv_'.length)) };
    const [before, after] = order === 'newest_first' ? [cursor, undefined] : [undefined, cursor];
    const wanted = { ...times, ...filter };
    const results: (FoundDeliveries | undefined)[] = [];
    const plans = await explained.plansOf(async () => {
      results.push(await search.page(accountId, 'ed_0', wanted, { order, before, after }, PAGE));
    });
    const found = results[0];
    const nodes = plans.flat().filter((node) => node['Relation Name'] !== undefined);
    const touched = nodes.filter((node) => rowsRead(node) > 0).map((node) => node['Relation Name'] ?? '');
    pages.push({
      ids: (found?.deliveries ?? []).map(({ id }) => id),
      rows: nodes.reduce((sum, node) => sum + rowsRead(node), 0),
      partitions: new Set(touched.filter((name) => name.startsWith('finished_deliveries_'))),
    });
    const end = found?.resumeAt ?? null;
    if (end === null) return pages;
    at = end;
  }
}

const orders = ['newest_first', 'oldest_first'] as const;
const inOrder = (order: DeliveryRange['order']) => (order === 'oldest_first' ? expected : expected.toReversed());

it.each(orders)('a search of rejected deliveries of a time, %s, reads the days of that time only', async (order) => {
  expect(expected).toHaveLength(2 * OF_HOUR);
  const [first, ...others] = await pagesOf({ state: 'rejected' }, order, OF_DAY + 1);
  expect(first?.ids).toEqual(inOrder(order));
  expect(others).toEqual([]);
  expect([...(first?.partitions ?? [])]).toEqual([finishedDay(SEARCHED)]);
});

it.each(orders)('a search of numbers and a time, %s, reads the days of that time only', async (order) => {
  const numbers = { sequence_from: 1, sequence_to: OF_HOUR * HOURS };
  const [first, ...others] = await pagesOf(numbers, order, OF_DAY + 1);
  expect(first?.ids).toEqual(inOrder(order));
  expect(others).toEqual([]);
  expect([...(first?.partitions ?? [])]).toEqual([finishedDay(SEARCHED)]);
});

it.each(orders)('a page of a time, %s, is bounded, also where many other deliveries wait', async (order) => {
  const most = 100;
  for (const filter of [{ state: 'rejected' }, { sequence_from: 1 }] as const) {
    const pages = await pagesOf(filter, order, most);
    expect(pages.flatMap(({ ids }) => ids)).toEqual(inOrder(order));
    expect(pages.length).toBeGreaterThan(OF_DAY / most);
    // Of both tables for the page and for its end, with an event for each row, and the deliveries of the page.
    for (const { rows } of pages) expect(rows).toBeLessThanOrEqual(5 * (most + 1) + 4 * PAGE);
  }
});
