import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import type { Tables } from '../../src/database/tables.js';
import { RedeliveryStore } from '../../src/delivery/redelivery/redelivery-store.js';
import type { DeliveryRange } from '../../src/destinations/deliveries/search/delivery-filter.js';
import { DeliverySearchStore } from '../../src/destinations/deliveries/search/delivery-search-store.js';
import { DeliveryViewStore, MAX_ATTEMPTS_SHOWN } from '../../src/destinations/deliveries/view/delivery-view-store.js';
import { deliveryViewStates } from '../../src/destinations/deliveries/view/delivery-view.js';
import { LaneViewStore, MAX_COUNTED } from '../../src/destinations/status/lane-view-store.js';
import { EventSearchStore } from '../../src/events/log/event-search-store.js';
import { LaneTotalsStore, MAX_COUNTED_OF_LANE } from '../../src/observability/lane-totals-store.js';
import { createTestStore } from '../support/database.js';
import { createDays, dayPrefixes } from './support/finished.js';
import { expectFlatPlans, ExplainedQueries } from './support/plans.js';
import { seedAccount } from './support/seed.js';

/**
 * Deliveries in each of four blocks of the destination in question, oldest first: delivered, rejected, expired,
 * pending.
 */
const BLOCK = 40_000;
const IN_FLIGHT = 500;
const PAGE = 100;
const EVENTS = 5 * BLOCK;
/** Days of finished deliveries. */
const DAYS = 90;

let store: Store;
let accountId: string;
let db: Kysely<Tables>;
let explained: ExplainedQueries;

beforeAll(async () => {
  store = await createTestStore();
  explained = new ExplainedQueries(store);
  db = explained.db;
  accountId = await seedAccount(store);
  const client = await store.pool.connect();
  const run = (text: string, values: readonly unknown[] = []) => client.query(text, [...values]);
  // So many rows in one statement take longer than any of the service's own may.
  await run('set statement_timeout = 0');
  await run(
    `insert into resources (id, account_id, kind, attributes, created_at, updated_at)
     select 'ed_' || n, $1, 'event_destination', '{}', now(), now() from generate_series(1, 2) n`,
    [accountId],
  );
  await createDays(store, DAYS);
  await run(
    `insert into events (id, account_id, type, resource_id, payload, created_at, commitment)
     select ($3::text[])[1 + (n - 1) * $4 / $2] || lpad(n::text, 16, '0'), $1, 'ip_policy_created.v0', 'ipp_1', '{}',
            now() - (1e6 - n) * interval '1 second', ''
     from generate_series(1, $2::int) n`,
    [accountId, EVENTS, dayPrefixes(DAYS), DAYS],
  );
  // One in three goes to the other destination as well, and every finished one has its number and its batch.
  await run(
    `create temporary table seeded as
     select row_number() over (order by n, destination_id) as delivery_id, id, destination_id, account_id, state, n, created_at
     from (
       select *, row_number() over (order by id) as n,
              (array['delivered', 'rejected', 'expired', 'cancelled', 'pending'])[(row_number() over (order by id) - 1) / $1 + 1] as state
       from events
     ) e
     cross join unnest(array['ed_1', 'ed_2']) as destination_id
     where destination_id = 'ed_1' or n % 3 = 0`.replaceAll('$1', String(BLOCK)),
  );
  await run(
    `insert into deliveries (id, event_id, destination_id, account_id, created_at) overriding system value
     select delivery_id, id, destination_id, account_id, created_at from seeded where state = 'pending'`,
  );
  await run(
    `insert into finished_deliveries (id, event_id, destination_id, account_id, state, sequence, batch_id, attempts,
                                   created_at, finished_at)
     select delivery_id, id, destination_id, account_id, state, n, 'bat_' || n / 100, 1, created_at, created_at
     from seeded where state <> 'pending'`,
  );
  await run(
    `insert into delivery_lanes (destination_id, account_id, target_kind, batch_id, batch_delivery_ids,
                                 batch_first_sequence, next_sequence)
     select 'ed_1', $1, 'data_stream', 'bat_now', array_agg(id), 1000000, 1000000 + count(*) from (
       select id from deliveries where destination_id = 'ed_1' and state = 'pending' order by id limit $2) d`,
    [accountId, IN_FLIGHT],
  );
  await run(
    `insert into delivery_attempts (batch_id, destination_id, number, started_at, duration_ms, records, delivered, retried,
                                    rejected, outcome)
     select 'bat_' || n, 'ed_1', 1, now(), 5, 100, 100, 0, 0, 'healthy' from generate_series(0, 30000) n
     union all
     select 'bat_now', 'ed_1', n, now(), 5, 100, 0, 100, 0, 'retrying' from generate_series(1, 1000) n`,
  );
  await run(
    `update deliveries set batch_id = 'bat_now', attempts = 1000 where destination_id = 'ed_1'
       and id = any((select batch_delivery_ids from delivery_lanes where destination_id = 'ed_1')::bigint[])`,
  );
  // Then more than the first is read for the oldest time.
  await run(
    `update deliveries set redelivered_at = now()
     where id = (select min(id) from deliveries where destination_id = 'ed_1' and state = 'pending')`,
  );
  await run('vacuum analyze');
  client.release(true);
});
afterAll(() => store.close());

/** Expects that no node reads more rows than `most`, and no large table whole. Returns the indexes used. */
function expectFlat(work: () => Promise<unknown>, most: number): Promise<readonly string[]> {
  return expectFlatPlans(explained, work, most);
}

/** The range of the newest deliveries, before one of them if given. */
function newestDeliveries(beforeId?: number): DeliveryRange {
  const before = beforeId === undefined ? undefined : { deliveryId: beforeId };
  return { order: 'newest_first', before, after: undefined };
}

/** Indexes of the days of finished deliveries, without the day. */
const BY_EVENT = 'day_pkey';
const BY_DESTINATION = 'day_destination_id_id_idx';
const BY_STATE = 'day_destination_id_state_created_a_idx';

describe('among hundreds of thousands of deliveries', () => {
  const indexes = {
    pending: 'deliveries_pending',
    in_flight: 'deliveries_pkey',
    delivered: BY_STATE,
    rejected: BY_STATE,
    expired: BY_STATE,
    cancelled: BY_STATE,
  } as const;

  it.each(deliveryViewStates)('a page of those that are %s costs a page', async (state) => {
    const search = new DeliverySearchStore(db);
    let last: number | undefined;
    const list = async () => {
      const filter = { state };
      const page = (await search.page(accountId, 'ed_1', filter, newestDeliveries(last), PAGE))?.deliveries;
      expect(page?.map((view) => view.state)).toEqual(Array.from({ length: PAGE }, () => state));
      return page;
    };
    // A page of what is in flight is sought among the batch; an attempt list ends at MAX_ATTEMPTS_SHOWN.
    const most = Math.max(PAGE * MAX_ATTEMPTS_SHOWN, IN_FLIGHT);
    const used = [...(await expectFlat(list, most))];
    last = (await list())?.at(-1)?.id;
    used.push(...(await expectFlat(list, most)));
    if (state !== 'in_flight') expect(used).toContain(indexes[state]);
    expect(used).toEqual(expect.arrayContaining([expect.stringMatching(/^events_\w+_pkey$/)]));
    if (state !== 'pending') expect(used).toContain('delivery_attempts_by_batch');
  });

  it('a page of all of a destination costs a page, wherever it begins', async () => {
    const search = new DeliverySearchStore(db);
    for (const beforeId of [undefined, BLOCK * 3, BLOCK]) {
      const list = () => search.page(accountId, 'ed_1', {}, newestDeliveries(beforeId), PAGE);
      expect(await expectFlat(list, PAGE * MAX_ATTEMPTS_SHOWN)).toContain(BY_DESTINATION);
    }
  });

  it('a list of an event’s deliveries costs as many rows as there are deliveries', async () => {
    const views = new DeliveryViewStore(db);
    const page = { limit: PAGE, beforeId: undefined };
    const third = `${dayPrefixes(DAYS)[0]}${'3'.padStart(16, '0')}`;
    const used = await expectFlat(() => views.ofEvent(accountId, third, page), 2);
    expect(used).toEqual(expect.arrayContaining(['deliveries_by_event', BY_EVENT]));
    await expectFlat(() => views.find(accountId, 'ed_1', third), 2);
    await expectFlat(() => new EventSearchStore(db).withIds(accountId, [third]), 1);
  });

  it('the status of a destination counts up to its bound', async () => {
    const lanes = new LaneViewStore(db, 1_000);
    const used = await expectFlat(() => lanes.find(accountId, 'ed_1'), MAX_COUNTED + 1);
    // The first one, the oldest time after a redelivery, and the count.
    expect(used.filter((name) => name === 'deliveries_pending')).toHaveLength(3);
    expect((await lanes.find(accountId, 'ed_1'))?.counted).toBe(MAX_COUNTED + 1);
    expect(await expectFlat(() => lanes.countAhead('ed_1', 1e9), MAX_COUNTED + 1)).toContain('deliveries_pending');
  });

  it('the totals of all lanes count up to their bound', async () => {
    const totals = new LaneTotalsStore(db);
    // All of a block waits, more than is counted of one lane.
    const used = await expectFlat(() => totals.page(''), MAX_COUNTED_OF_LANE);
    expect(used.filter((name) => name === 'deliveries_pending')).toHaveLength(3);
    const [total] = (await totals.page('')).totals;
    expect(total).toMatchObject({
      targetKind: 'data_stream',
      state: 'healthy',
      lanes: 1,
      pending: MAX_COUNTED_OF_LANE,
    });
    expect(total?.oldestSeconds).toBeGreaterThan(0);
  });

  it('a page of a redelivery costs a page, also in the middle of a range', async () => {
    const redeliveries = new RedeliveryStore(db);
    const now = Date.now();
    const seconds = (n: number) => new Date(now - (1e6 - n) * 1_000);
    for (const from of [new Date(0), seconds(BLOCK * 1.5)]) {
      const range = { state: 'rejected', from, to: new Date(now) } as const;
      const step = () => redeliveries.redeliverPage('ed_1', range, null, 1_000);
      // An update reads a row and its index entries once more.
      const used = await expectFlat(step, 2_000);
      expect(used).toEqual(expect.arrayContaining([BY_STATE, BY_DESTINATION]));
    }
    const ids = Array.from({ length: 1_000 }, (_, n) => `${dayPrefixes(DAYS)[0]}${String(n + 1).padStart(16, '0')}`);
    // Each of these events has up to two deliveries, one of them to the other destination.
    expect(await expectFlat(() => redeliveries.find(accountId, 'ed_1', ids), 2_000)).toContain(BY_EVENT);
  });
});
