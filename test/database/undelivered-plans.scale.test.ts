import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { DeliveryViewStore } from '../../src/destinations/deliveries/view/delivery-view-store.js';
import type { UndeliveredFilter } from '../../src/destinations/deliveries/view/undelivered-rows.js';
import { createDays, dayPrefixes } from '../delivery/support/finished.js';
import { expectFlatPlans, ExplainedQueries, rowsRead } from '../delivery/support/plans.js';
import { seedAccount } from '../delivery/support/seed.js';
import { createTestStore } from '../support/database.js';

const DAYS = 30;
const EVENTS = 30_000;
/** One event in so many has an expired delivery to `ed_1`, and one of the others a rejected one to it. */
const RARE = 1_000;
const PAGE = 50;

let store: Store;
let accountId: string;
let otherId: string;

/**
 * Each event has a rejected delivery to `ed_0` and a delivered one to `ed_2`, and few have one to `ed_1`. As many wait.
 * Another account has a rejected delivery to `ed_3` of each event.
 */
beforeAll(async () => {
  store = await createTestStore();
  [accountId, otherId] = [await seedAccount(store), await seedAccount(store)];
  await createDays(store, DAYS);
  const run = (text: string, ...values: readonly unknown[]) => store.pool.query(text, [...values]);
  await run(
    `insert into events (id, account_id, type, resource_id, payload, created_at, commitment)
     select ($2::text[])[1 + (n - 1) * $3 / $4] || lpad(n::text, 16, '0'), $1, 'note_created.v0', 'note_1', '{}', now(), ''
     from generate_series(1, $4::int) n`,
    accountId,
    dayPrefixes(DAYS),
    DAYS,
    EVENTS,
  );
  await run(
    `insert into finished_deliveries (id, event_id, destination_id, account_id, state, sequence, attempts, created_at,
                                   finished_at)
     select 10 * n + part, id, 'ed_' || part, case when part = 3 then $2 else $1 end,
            case when part = 2 then 'delivered' when part = 1 and n % $3 = 0 then 'expired' else 'rejected' end,
            n, 1, created_at, created_at
     from (select row_number() over (order by id) as n, * from events) e cross join generate_series(0, 3) part
     where part <> 1 or n % $3 in (0, $3 / 2)`,
    accountId,
    otherId,
    RARE,
  );
  await run(
    `insert into deliveries (id, event_id, destination_id, account_id, created_at) overriding system value
     select 1000000 + row_number() over (order by id), id, 'ed_0', $1, created_at from events`,
    accountId,
  );
  await run('vacuum analyze');
});
afterAll(() => store.close());

/** Lists of one day each that a page merges: one for each state, and of each destination that is named. */
const cases: readonly (readonly [string, Partial<UndeliveredFilter>, lists: number, found: number])[] = [
  ['all destinations', {}, 2, PAGE],
  ['a rare state', { state: 'expired' }, 1, EVENTS / RARE],
  ['a rare destination', { destinationIds: ['ed_1'] }, 2, PAGE],
  ['a rare destination and state', { destinationIds: ['ed_1'], state: 'expired' }, 1, EVENTS / RARE],
  ['two destinations', { destinationIds: ['ed_0', 'ed_1', 'ed_0'] }, 4, PAGE],
  ['a destination where all was delivered', { destinationIds: ['ed_2'] }, 2, 0],
  ['a destination of another account', { destinationIds: ['ed_3'] }, 2, 0],
];

it.each(cases)('a page of %s reads as many rows as it shows, and one of each day', async (_, given, lists, found) => {
  const filter = { state: undefined, destinationIds: undefined, ...given };
  for (const beforeId of [undefined, 10 * EVENTS - 5 * RARE]) {
    const explained = new ExplainedQueries(store);
    const views = new DeliveryViewStore(explained.db);
    const page = () => views.undelivered(accountId, filter, { limit: PAGE, beforeId });
    const { deliveries: shown } = await page();
    if (beforeId === undefined) expect(shown).toHaveLength(found);
    expect(shown.map(({ id }) => id)).toEqual(shown.map(({ id }) => id).toSorted((one, other) => other - one));
    const nodes = (await explained.plansOf(page)).flat();
    const ofHistory = nodes.filter(({ 'Relation Name': name }) => name?.startsWith('finished_deliveries_'));
    // A merge has the first row of each day before it shows one; the default partition and the days ahead have none.
    const rows = ofHistory.reduce((sum, node) => sum + rowsRead(node), 0);
    expect(rows).toBeLessThanOrEqual(lists * (PAGE + DAYS));
    expect(rows).toBeGreaterThanOrEqual(shown.length);
    const used = await expectFlatPlans(explained, page, PAGE * lists);
    expect(used).toEqual(
      expect.arrayContaining([
        given.destinationIds ? 'day_account_id_destination_id_stat_idx' : 'day_account_id_state_id_idx',
      ]),
    );
  }
});

it('a page shows the same as a query without an index, also in the middle', async () => {
  const views = new DeliveryViewStore(store.db);
  const filter = { state: undefined, destinationIds: ['ed_1', 'ed_2', 'ed_3'] };
  const { rows } = await store.pool.query<{ id: number }>(
    `select id from finished_deliveries where destination_id = 'ed_1' order by id desc`,
  );
  const ids = rows.map(({ id }) => id);
  expect(ids).toHaveLength((2 * EVENTS) / RARE);
  for (const at of [0, 7, ids.length - 2]) {
    const { deliveries: shown } = await views.undelivered(accountId, filter, { limit: 5, beforeId: ids[at] });
    expect(shown.map(({ id }) => id)).toEqual(ids.slice(at + 1, at + 6));
  }
});

it('the counts of many destinations are sorted in memory', async () => {
  const destinations = 60;
  const each = 900;
  await store.pool.query(
    `insert into finished_deliveries (id, event_id, destination_id, account_id, state, sequence, attempts, created_at,
                                   finished_at, error_code, error_message)
     select 10000000 + n, (select min(id) from events), 'ed_many_' || n % $2::int, $1, 'rejected', n, 1, now(), now(),
            'code_' || n % 7, repeat('m', 400) from generate_series(1, $2::int * $3::int) n`,
    [accountId, destinations, each],
  );
  await store.pool.query('analyze');
  const explained = new ExplainedQueries(store);
  const views = new DeliveryViewStore(explained.db);
  const counts = () => views.undeliveredCounts(accountId, { from: undefined, limit: 101, beforeId: undefined });
  const many = (await counts()).filter(({ destination_id: id }) => id.startsWith('ed_many_'));
  expect(many).toHaveLength(7 * destinations);
  expect(many.reduce((sum, { count }) => sum + count, 0)).toBe(destinations * each);
  const nodes = (await explained.plansOf(counts)).flat();
  expect(nodes.filter(({ 'Temp Written Blocks': blocks }) => blocks > 0)).toEqual([]);
});
