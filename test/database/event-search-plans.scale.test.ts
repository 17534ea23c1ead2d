import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDays, DayPartitions, startOfDay } from '../../src/database/partitions/day-partitions.js';
import { eventTable } from '../../src/database/partitions/event-partitions.js';
import type { Store } from '../../src/database/store.js';
import type { EventFilter, SearchRange } from '../../src/events/log/event-filter.js';
import { EventSearchStore } from '../../src/events/log/event-search-store.js';
import { idBound } from '../../src/ids/id-time.js';
import { blocksRead, ExplainedQueries, rowsRead } from '../delivery/support/plans.js';
import { createTestStore } from '../support/database.js';

/** The events are in every hour of so many days from now on, and their partitions have so many days. */
const [DAYS, DAYS_OF_PARTITION] = [50, 3];
const HOURS = 24 * DAYS;
/** The most that there can be: those of these days, the first one and the default one, and a part at either end. */
const PARTITIONS = DAYS / DAYS_OF_PARTITION + 4;
/** Events of an hour in the small table, and in the large one. */
const [FEW, MANY] = [20, 120];
const PAGE = 100;
const SCANNED = 1_000;
const begin = startOfDay(new Date());
const hour = (number: number) => new Date(begin.getTime() + number * 3_600_000);
let few: Store;
let many: Store;

/** Events of 100 resources, 20 principals with two keys each, 10 types and 4 changed members. */
async function eventsOf(ofHour: number): Promise<Store> {
  const store = await createTestStore({ poolSize: 1 });
  await new DayPartitions(store.db, eventTable).extend(begin, addDays(begin, DAYS), DAYS_OF_PARTITION);
  await store.pool.query('set statement_timeout = 0');
  const hours = Array.from({ length: HOURS }, (_, number) => hour(number));
  await store.pool.query(
    `insert into events (id, account_id, type, resource_id, payload, created_at, principal_id, credential_id,
                         operation_id, changed_fields, commitment)
     select prefix || lpad(n::text, 16, '0'), 'acc_1', 'note_' || n % 10 || '.v0', 'note_' || n % 100, '{}', hour,
            'usr_' || n % 20, 'ak_' || n % 40, 'op_' || n / 2, array['field_' || n % 4], ''
     from unnest($1::text[], $2::timestamptz[]) with ordinality as hours (prefix, hour, number)
     cross join lateral generate_series((number - 1) * $3 + 1, number * $3) n`,
    [hours.map((time) => idBound('evt', time)), hours, ofHour],
  );
  await store.pool.query('vacuum analyze events');
  return store;
}

beforeAll(async () => {
  [few, many] = [await eventsOf(FEW), await eventsOf(MANY)];
});
afterAll(() => Promise.all([few.close(), many.close()]));

/**
 * What a search reads: blocks, events that its scans find, and the partitions of which it reads rows.
 * @param range of a page; null for the counts of the search
 */
async function workOf(store: Store, filter: EventFilter, range: SearchRange | null) {
  const explained = new ExplainedQueries(store);
  const search = new EventSearchStore(explained.db, SCANNED);
  const plans = await explained.plansOf(() =>
    range === null ? search.counts('acc_1', filter) : search.page('acc_1', filter, range, PAGE),
  );
  const nodes = plans.flat().filter((node) => node['Relation Name']?.startsWith('events') === true);
  const partitions = nodes.filter((node) => rowsRead(node) > 0).map((node) => node['Relation Name']);
  return {
    blocks: blocksRead(plans),
    rows: nodes.reduce((sum, node) => sum + node['Actual Rows'], 0),
    partitions: new Set(partitions),
  };
}

/** In the middle of the events. */
const NOON = hour(732).toISOString();
const LATER = hour(734.5).toISOString();
const type = ['note_1.v0', 'note_2.v0', 'note_3.v0'];
const filters: readonly EventFilter[] = [
  {},
  { type: ['note_1.v0'] },
  { type },
  { object_id: 'note_7' },
  { principal_id: 'usr_7' },
  { credential_id: 'ak_7' },
  { operation_id: 'op_77' },
  { changed: 'field_1' },
  { object_id: 'note_7', principal_id: 'usr_7', credential_id: 'ak_7', changed: 'field_3', type: ['note_7.v0'] },
  { principal_id: 'usr_7', type: ['note_1.v0'] },
  { type, changed: 'nothing' },
  { changed: 'nothing' },
  { text: 'nothing' },
  { ip: '192.0.2.1', principal_id: 'usr_7' },
  { object_id: 'none' },
  { principal_id: 'usr_7', object_id: 'note_8' },
  ...[{ from: NOON, to: LATER }, { from: NOON }, { to: NOON }].flatMap((times) => [
    times,
    { ...times, changed: 'nothing' },
    { ...times, type: ['note_1.v0'] },
    { ...times, object_id: 'note_7' },
    { ...times, principal_id: 'usr_7', changed: 'nothing' },
  ]),
];
const cases = filters.flatMap((filter) =>
  (['newest_first', 'oldest_first'] as const).map((order) => [JSON.stringify(filter), order, filter] as const),
);

it.each(cases)('a page of %s, %s, reads as much of six times the events', async (_, order, filter) => {
  const range: SearchRange = { order };
  const [small, large] = [await workOf(few, filter, range), await workOf(many, filter, range)];
  // Each scanned event may be in blocks of its own, of the table and of an index.
  expect(large.blocks).toBeLessThanOrEqual(1.3 * small.blocks + 2 * SCANNED);
  // The scan of the page, and the search for its end. Each looks at the first row of every partition.
  expect(large.rows).toBeLessThanOrEqual(2 * (SCANNED + PARTITIONS));
});

it.each(filters.map((filter) => [JSON.stringify(filter), filter] as const))(
  'the counts of %s read as much of six times the events',
  async (_, filter) => {
    const [small, large] = [await workOf(few, filter, null), await workOf(many, filter, null)];
    // As a page, with a look at the waiting and the finished deliveries of 500 events.
    expect(large.blocks).toBeLessThanOrEqual(1.3 * small.blocks + 2 * SCANNED + 2 * 500);
    // One scan. It looks at the first row of every partition.
    expect(large.rows).toBeLessThanOrEqual(SCANNED + PARTITIONS);
  },
);

it.each(['newest_first', 'oldest_first'] as const)('a page of a time, %s, reads its partition only', async (order) => {
  const range: SearchRange = { order };
  const whole = await workOf(many, { changed: 'nothing' }, range);
  const page = await workOf(many, { from: NOON, to: LATER, changed: 'nothing' }, range);
  expect(page.partitions.size).toBe(1);
  expect(page.rows).toBe(2 * 3 * MANY);
  expect(whole.partitions.size).toBeGreaterThan(5);
});

it('a page that finds too little ends after a bounded number of events, and the next one continues', async () => {
  const store = new EventSearchStore(many.db, SCANNED);
  // One in 20 events: pages of 1,000 events of the principal, none of which has changed this member.
  const filter = { principal_id: 'usr_7', type: ['note_7.v0'], changed: 'field_1' };
  expect(await store.page('acc_1', filter, { order: 'newest_first' }, PAGE)).toEqual({
    events: [],
    resumeAt: expect.stringMatching(/^evt_/),
  });
  for (const order of ['newest_first', 'oldest_first'] as const) {
    const found: string[] = [];
    let at: string | undefined;
    let pages = 0;
    do {
      const [before_id, after_id] = order === 'newest_first' ? [at, undefined] : [undefined, at];
      const wanted = { ...filter, changed: 'field_3' };
      const { events, resumeAt } = await store.page('acc_1', wanted, { order, before_id, after_id }, 5_000);
      found.push(...events.map(({ id }) => id));
      at = resumeAt ?? undefined;
      pages += 1;
    } while (at !== undefined);
    const { rows } = await many.pool.query<{ id: string }>(
      `select id from events where principal_id = 'usr_7' and type = 'note_7.v0' and changed_fields @> '{field_3}'
       order by id ${order === 'newest_first' ? 'desc' : 'asc'}`,
    );
    expect(found).toEqual(rows.map(({ id }) => id));
    expect(found.length).toBeGreaterThan(100);
    expect(pages).toBe(Math.floor((HOURS * MANY) / 20 / SCANNED) + 1);
  }
});
