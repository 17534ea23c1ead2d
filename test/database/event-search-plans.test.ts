import { Kysely, PostgresDialect } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import type { Tables } from '../../src/database/tables.js';
import type { EventFilter, SearchRange } from '../../src/events/search/event-filter.js';
import { EventSearchStore } from '../../src/events/search/event-search-store.js';
import { idBound } from '../../src/ids/id-time.js';
import { createTestStore } from '../support/database.js';

/** Events of the small table, and of the large one. */
const [FEW, MANY] = [20_000, 120_000];
const PAGE = 100;
const SCANNED = 1_000;
let few: Store;
let many: Store;

/** Events of 100 resources, 20 principals with two keys each, 10 types and 4 changed members. */
async function eventsOf(count: number): Promise<Store> {
  const store = await createTestStore({ poolSize: 1 });
  await store.pool.query('set statement_timeout = 0');
  await store.pool.query(
    `insert into events (id, account_id, type, resource_id, payload, created_at, principal_id, credential_id,
                         operation_id, changed_fields)
     select $1 || lpad(n::text, 16, '0'), 'acc_1', 'note_' || n % 10 || '.v0', 'note_' || n % 100, '{}', now(),
            'usr_' || n % 20, 'ak_' || n % 40, 'op_' || n / 2, array['field_' || n % 4]
     from generate_series(1, $2::int) n`,
    [idBound('evt', new Date()), count],
  );
  await store.pool.query('vacuum analyze events');
  return store;
}

beforeAll(async () => {
  [few, many] = [await eventsOf(FEW), await eventsOf(MANY)];
}, 120_000);
afterAll(() => Promise.all([few.close(), many.close()]));

interface Plan {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

/** What the statements of a search read: blocks, and rows of events. */
async function workOf(store: Store, filter: Partial<EventFilter>, range: SearchRange) {
  const statements: { sql: string; parameters: readonly unknown[] }[] = [];
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: store.pool }),
    log: ({ query: { sql, parameters } }) => void statements.push({ sql, parameters }),
  });
  const none = { objectId: undefined, principalId: undefined, credentialId: undefined, operationId: undefined };
  const whole = { ...none, types: [], changed: undefined, from: undefined, to: undefined, ...filter };
  const { events } = await new EventSearchStore(db, SCANNED).page('acc_1', whole, range, PAGE);
  let blocks = 0;
  let rows = 0;
  const visit = (plan: Plan): void => {
    if (plan['Relation Name']?.startsWith('events') === true) rows += plan['Actual Rows'];
    plan.Plans?.forEach(visit);
  };
  for (const { sql, parameters } of statements) {
    const { rows: plans } = await store.pool.query<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(
      `explain (analyze, buffers, timing off, format json) ${sql}`,
      [...parameters],
    );
    const plan = plans[0]?.['QUERY PLAN'][0]?.Plan;
    if (!plan) throw new Error('There is no plan.');
    blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    visit(plan);
  }
  return { blocks, rows, found: events.length };
}

const types = ['note_1.v0', 'note_2.v0', 'note_3.v0'];
const filters: readonly Partial<EventFilter>[] = [
  {},
  { types: ['note_1.v0'] },
  { types },
  { objectId: 'note_7' },
  { principalId: 'usr_7' },
  { credentialId: 'ak_7' },
  { operationId: 'op_77' },
  { changed: 'field_1' },
  { objectId: 'note_7', principalId: 'usr_7', credentialId: 'ak_7', changed: 'field_3', types: ['note_7.v0'] },
  { principalId: 'usr_7', types: ['note_1.v0'] },
  { types, changed: 'nothing' },
  { changed: 'nothing' },
  { objectId: 'none' },
  { principalId: 'usr_7', objectId: 'note_8' },
];
const cases = filters.flatMap((filter) =>
  (['newest_first', 'oldest_first'] as const).map((order) => [JSON.stringify(filter), order, filter] as const),
);

it.each(cases)('a page of %s, %s, reads as much of six times the events', async (_, order, filter) => {
  const range: SearchRange = { order, beforeId: undefined, afterId: undefined };
  const [small, large] = [await workOf(few, filter, range), await workOf(many, filter, range)];
  expect(large.blocks).toBeLessThanOrEqual(1.3 * small.blocks + SCANNED);
  // The scan of the page, and the search for its end.
  expect(large.rows).toBeLessThanOrEqual(2 * SCANNED + 10);
});

it('a page that finds too little ends after a bounded number of events, and the next one continues', async () => {
  const store = new EventSearchStore(many.db, SCANNED);
  const none = { objectId: undefined, credentialId: undefined, operationId: undefined, from: undefined, to: undefined };
  // One in 40 events: pages of 1,000 events of the principal, of which one in two is of the type.
  const filter: EventFilter = { ...none, principalId: 'usr_7', types: ['note_7.v0'], changed: 'field_1' };
  expect(
    await store.page('acc_1', filter, { order: 'newest_first', beforeId: undefined, afterId: undefined }, PAGE),
  ).toEqual({
    events: [],
    resumeAt: expect.stringMatching(/^evt_/),
  });
  for (const order of ['newest_first', 'oldest_first'] as const) {
    const found: string[] = [];
    let at: string | undefined;
    let pages = 0;
    do {
      const [beforeId, afterId] = order === 'newest_first' ? [at, undefined] : [undefined, at];
      const wanted = { ...filter, changed: 'field_3', types: ['note_7.v0'] };
      const { events, resumeAt } = await store.page('acc_1', wanted, { order, beforeId, afterId }, 5_000);
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
    expect(pages).toBe(MANY / 20 / SCANNED + 1);
  }
});
