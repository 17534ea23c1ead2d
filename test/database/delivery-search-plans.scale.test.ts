import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import type { DeliveryFilter, DeliveryRange } from '../../src/destinations/deliveries/search/delivery-filter.js';
import { DeliverySearchStore } from '../../src/destinations/deliveries/search/delivery-search-store.js';
import { idBound } from '../../src/ids/id-time.js';
import { blocksRead, ExplainedQueries, rowsRead } from '../delivery/support/plans.js';
import { seedAccount } from '../delivery/support/seed.js';
import { createTestStore } from '../support/database.js';

/** Events of the small history, and of the large one. Every second one has a delivery to the destination. */
const [FEW, MANY] = [12_000, 72_000];
/** One in so many waits. */
const WAITING = 20;
const IN_FLIGHT = 100;
const PAGE = 50;
const SCANNED = 500;

interface History {
  readonly store: Store;
  readonly accountId: string;
  readonly events: number;
}
let few: History;
let many: History;

/** Events of 100 resources, 20 principals with two keys each, 10 types and 4 changed members. */
async function historyOf(events: number): Promise<History> {
  const store = await createTestStore({ poolSize: 1 });
  const accountId = await seedAccount(store);
  const run = (text: string, values: readonly unknown[] = []) => store.pool.query(text, [...values]);
  await run('set statement_timeout = 0');
  await run(
    `insert into events (id, account_id, type, resource_id, payload, created_at, principal_id, credential_id,
                         operation_id, changed_fields, commitment)
     select $1 || lpad(n::text, 16, '0'), $3, 'note_' || n / 2 % 10 || '.v0', 'note_' || n % 100, '{}',
            date_trunc('second', now()) - ($2 - n) * interval '1 millisecond',
            'usr_' || n / 2 % 20, 'ak_' || n / 2 % 40, 'op_' || n / 4, array['field_' || n / 2 % 4], ''
     from generate_series(1, $2::int) n`,
    [idBound('evt', new Date()), events, accountId],
  );
  await run(
    `insert into resources (id, account_id, kind, attributes, created_at, updated_at)
     select 'ed_' || n, $1, 'event_destination', '{}', now(), now() from generate_series(0, 1) n`,
    [accountId],
  );
  await run(
    `create temporary table seeded as
     select n, id as event_id, 'ed_' || n % 2 as destination_id, created_at, n > $1 - $1 / ${WAITING} as waits,
            case n / 2 % 20 when 0 then 'rejected' when 1 then 'expired' when 2 then 'cancelled' else 'delivered' end as state
     from (select row_number() over (order by id) as n, * from events) e`.replaceAll('$1', String(events)),
  );
  await run(
    `insert into finished_deliveries (id, event_id, destination_id, account_id, state, sequence, attempts, created_at, finished_at)
     select n, event_id, destination_id, $1, state, (n + 1) / 2, 1, created_at, created_at from seeded where not waits`,
    [accountId],
  );
  await run(
    `insert into deliveries (id, event_id, destination_id, account_id, created_at) overriding system value
     select n, event_id, destination_id, $1, created_at from seeded where waits`,
    [accountId],
  );
  await run(
    `insert into delivery_lanes (destination_id, account_id, target_kind, floor_id, batch_id, batch_delivery_ids,
                                 batch_first_sequence, next_sequence)
     select 'ed_0', $1, 'data_stream', min(id) - 1, 'bat_1', (array_agg(id order by id))[1:$2::int], 1000000,
            1000000 + $2::int
     from deliveries where destination_id = 'ed_0'`,
    [accountId, IN_FLIGHT],
  );
  await run('vacuum analyze');
  return { store, accountId, events };
}

beforeAll(async () => {
  [few, many] = [await historyOf(FEW), await historyOf(MANY)];
});
afterAll(() => Promise.all([few.store.close(), many.store.close()]));

/** What the statements of a page read: blocks, and rows of tables. */
async function workOf({ store, accountId }: History, filter: DeliveryFilter, range: DeliveryRange) {
  const explained = new ExplainedQueries(store);
  const search = new DeliverySearchStore(explained.db, SCANNED);
  const plans = await explained.plansOf(() => search.page(accountId, 'ed_0', filter, range, PAGE));
  const ofTables = plans.flat().filter((node) => node['Relation Name'] !== undefined);
  return { blocks: blocksRead(plans), rows: ofTables.reduce((sum, node) => sum + rowsRead(node), 0) };
}

const type = ['note_1.v0', 'note_2.v0', 'note_3.v0'];
const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
const filters: readonly DeliveryFilter[] = [
  {},
  { type: ['note_1.v0'] },
  { type },
  { object_id: 'note_8' },
  { object_id: 'note_7' },
  { principal_id: 'usr_7' },
  { credential_id: 'ak_7' },
  { operation_id: 'op_77' },
  { changed: 'field_1' },
  { changed: 'nothing' },
  { type, changed: 'nothing' },
  { from: hourAgo },
  { to: new Date(Date.now() + 3_600_000).toISOString(), changed: 'nothing' },
  { state: 'pending' },
  { state: 'in_flight' },
  { state: 'delivered' },
  { state: 'rejected' },
  { state: 'expired' },
  { state: 'cancelled' },
  { state: 'rejected', principal_id: 'usr_7' },
  { state: 'rejected', from: hourAgo, changed: 'nothing' },
  { state: 'pending', principal_id: 'usr_7' },
  { state: 'pending', changed: 'nothing' },
  { state: 'delivered', type: ['note_1.v0'] },
  { state: 'delivered', changed: 'nothing' },
  { state: 'in_flight', changed: 'nothing' },
  { sequence_from: 100, sequence_to: 110 },
  { sequence_from: 100, changed: 'nothing' },
  { sequence_to: 4_000, state: 'rejected', principal_id: 'usr_7' },
  { sequence_from: 1, state: 'pending' },
  { object_id: 'note_8', principal_id: 'usr_4', credential_id: 'ak_4', changed: 'field_0', type: ['note_4.v0'] },
  { object_id: 'note_8', sequence_from: 100, sequence_to: 110 },
  { object_id: 'none' },
];
const cases = filters.flatMap((filter) =>
  (['newest_first', 'oldest_first'] as const).map((order) => [JSON.stringify(filter), order, filter] as const),
);

it.each(cases)('a page of %s, %s, reads as much of six times the events', async (_, order, filter) => {
  const range = { order, before: undefined, after: undefined };
  const [small, large] = [await workOf(few, filter, range), await workOf(many, filter, range)];
  // A few blocks for each row, where the small history has less to read than a page may.
  expect(large.blocks).toBeLessThanOrEqual(Math.max(1.5 * small.blocks, 8 * SCANNED));
  // The scan of the page with a row of another table for each, the search for its end, and the deliveries of the page.
  expect(large.rows).toBeLessThanOrEqual(3 * SCANNED + 10 * PAGE);
});

it.each(cases)('a page of %s, %s, costs the same in the middle of the history', async (_, order, filter) => {
  const cursor = { deliveryId: 2 * Math.round(MANY / 4) };
  const range =
    order === 'newest_first'
      ? { order, before: cursor, after: undefined }
      : { order, before: undefined, after: cursor };
  const { rows } = await workOf(many, filter, range);
  expect(rows).toBeLessThanOrEqual(3 * SCANNED + 10 * PAGE);
});

it.each([
  ['events', { principal_id: 'usr_7', type: ['note_7.v0'], changed: 'field_3' }, `principal_id = 'usr_7'`],
  ['deliveries', { changed: 'field_3', type: ['note_7.v0', 'note_17.v0'] }, 'true'],
  ['states', { state: 'delivered', changed: 'field_3', type: ['note_7.v0', 'note_17.v0'] }, `d.state = 'delivered'`],
  [
    'numbers',
    { sequence_from: 1, changed: 'field_3', type: ['note_7.v0'] },
    // Those in flight have numbers too.
    `(d.sequence >= 1 or d.id = any((select batch_delivery_ids from delivery_lanes where destination_id = 'ed_0')::bigint[]))`,
  ],
] as const)(
  'a page in the order of %s that finds too little ends, and the next one continues',
  async (by, filter, condition) => {
    // Pages in the order of events end after more of them.
    const { store, accountId } = by === 'events' ? many : few;
    for (const order of ['newest_first', 'oldest_first'] as const) {
      const search = new DeliverySearchStore(store.db, SCANNED);
      const found: number[] = [];
      let at: string | undefined;
      let pages = 0;
      do {
        const cursor =
          at === undefined ? undefined : at.startsWith('evt_') ? { eventId: at } : { deliveryId: Number(at.slice(4)) };
        const [before, after] = order === 'newest_first' ? [cursor, undefined] : [undefined, cursor];
        const wanted = { ...filter, type: [...filter.type] };
        const page = await search.page(accountId, 'ed_0', wanted, { order, before, after }, 5_000);
        found.push(...(page?.deliveries ?? []).map(({ id }) => id));
        at = page?.resumeAt ?? undefined;
        pages += 1;
      } while (at !== undefined);
      const { rows } = await store.pool.query<{ id: number }>(
        `select d.id from all_deliveries d join events e on e.id = d.event_id
         where d.destination_id = 'ed_0' and e.type = 'note_7.v0' and e.changed_fields @> '{field_3}' and ${condition}
         order by d.id ${order === 'newest_first' ? 'desc' : 'asc'}`,
      );
      expect(found).toEqual(rows.map(({ id }) => id));
      expect(found.length).toBeGreaterThan(100);
      expect(pages).toBeGreaterThan(5);
    }
  },
);
