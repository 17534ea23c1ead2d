import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { laneStates } from '../../src/delivery/lanes/lane-state.js';
import { HealthStore } from '../../src/destinations/health/health-store.js';
import { LaneViewStore, MAX_COUNTED_IN_PAGE, type LanePage } from '../../src/destinations/status/lane-view-store.js';
import { MAX_PAGE_SIZE } from '../../src/http/response/pagination.js';
import { createTestStore } from '../support/database.js';
import { ExplainedQueries, rowsRead, type PlanNode } from './support/plans.js';
import { seedAccount } from './support/seed.js';

const DESTINATIONS = 2_000;
/** Destinations whose deliveries are seeded by one statement. */
const STEP = 100;
/** Every hundredth destination fails and has more events than are counted, each other one has 50. */
const PENDING = 150_000;
const BROKEN = DESTINATIONS / 100;
const PENDING_OF_OTHERS = 50;
const PENDING_OF_BROKEN = PENDING / BROKEN - (PENDING_OF_OTHERS * (DESTINATIONS - BROKEN)) / BROKEN;

let store: Store;
let explained: ExplainedQueries;
let lanes: LaneViewStore;
let accountId: string;
let otherAccountId: string;

beforeAll(async () => {
  store = await createTestStore();
  explained = new ExplainedQueries(store);
  lanes = new LaneViewStore(explained.db, 1_000);
  accountId = await seedAccount(store);
  otherAccountId = await seedAccount(store);
  const client = await store.pool.connect();
  const run = (text: string, values: readonly unknown[] = []) => client.query(text, [...values]);
  await run('set statement_timeout = 0');
  // Without the triggers of single rows.
  await run('set session_replication_role = replica');
  for (const [account, prefix] of [
    [accountId, 'ed_a'],
    [otherAccountId, 'ed_b'],
  ]) {
    await run(
      `insert into delivery_lanes (destination_id, account_id, target_kind, status, paused_at)
       select $2::text || lpad(n::text, 5, '0'), $1, 'data_stream',
              case when n % 100 = 0 then 'misconfigured' when n % 100 = 50 then 'retrying' else 'healthy' end,
              case when n % 100 = 25 then now() end
       from generate_series(1, $3::int) n`,
      [account, prefix, DESTINATIONS],
    );
  }
  // In steps: one statement over all rows takes longer than a connection may be silent.
  for (let first = 1; first < DESTINATIONS; first += STEP) {
    await run(
      `insert into deliveries (event_id, destination_id, account_id, created_at)
       select 'evt_' || lpad((destination * 100000 + n)::text, 16, '0'), 'ed_a' || lpad(destination::text, 5, '0'), $1, now()
       from generate_series($2::int, $3::int) destination
       cross join generate_series(1, case when destination % 100 = 0 then $4::int else $5::int end) n`,
      [accountId, first, first + STEP - 1, PENDING_OF_BROKEN, PENDING_OF_OTHERS],
    );
  }
  await run('vacuum analyze deliveries');
  await run('vacuum analyze delivery_lanes');
  client.release(true);
});
afterAll(() => store.close());

const all: LanePage = { states: null, limit: MAX_PAGE_SIZE + 1, beforeId: undefined };
const pageOf = (changes: Partial<LanePage> = {}) => lanes.list(accountId, { ...all, ...changes });

/** The rows that the nodes of one statement read of a table. */
function rowsOf(nodes: readonly PlanNode[], table: string): number {
  const scans = nodes.filter((node) => node['Relation Name'] === table);
  return scans.reduce((sum, node) => sum + rowsRead(node), 0);
}

it.each([
  ['of all', {}],
  ['in the middle', { beforeId: 'ed_a01000' }],
  ['of those that fail', { states: ['misconfigured', 'retrying'] }],
  ['of one state, in the middle', { states: ['healthy'], beforeId: 'ed_a01000' }],
  ['of a rare state, in the middle', { states: ['paused'], beforeId: 'ed_a01000' }],
  ['of those that are paused', { states: ['paused'] }],
] as const)('a page %s is one statement, and reads its own lanes and bounded counts', async (_, changes) => {
  const shown = await pageOf(changes);
  const plans = await explained.plansOf(() => pageOf(changes));
  expect(plans).toHaveLength(1);
  const [nodes = []] = plans;
  expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
  // Each state has a page of index entries, and each shown lane is read once.
  const states = 'states' in changes ? changes.states.length : laneStates.length;
  expect(rowsOf(nodes, 'delivery_lanes')).toBeLessThanOrEqual((states + 1) * all.limit);
  // What is counted of each lane, up to the bound, and its oldest delivery.
  const counted = shown.reduce((sum, lane) => sum + lane.counted + 1, 0);
  // Postgres rounds the rows of a loop to hundredths.
  expect(Math.abs(rowsOf(nodes, 'deliveries') - counted)).toBeLessThan(2);
  const used = nodes.flatMap((node) => node['Index Name'] ?? []);
  expect(new Set(used)).toEqual(
    new Set(['delivery_lanes_by_state', 'delivery_lanes_pkey', 'deliveries_pending', 'resources_pkey']),
  );
});

it('a poll of those who follow reads a lane and one delivery of each destination, and the lanes that it shows', async () => {
  const marks = await explained.plansOf(() => lanes.marks(accountId, DESTINATIONS));
  expect(marks).toHaveLength(1);
  const [marked = []] = marks;
  expect(marked.filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'deliveries')).toEqual(
    [],
  );
  // Postgres rounds the rows of a loop to hundredths.
  expect(rowsOf(marked, 'deliveries')).toBeLessThan(DESTINATIONS + 2);
  const ids = ['ed_a00100', 'ed_a00101', 'ed_b00101'];
  const shown = await explained.plansOf(() => lanes.listOf(accountId, ids));
  expect(shown).toHaveLength(1);
  const [nodes = []] = shown;
  expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
  const counted = MAX_COUNTED_IN_PAGE + 1 + PENDING_OF_OTHERS + 2;
  expect(Math.abs(rowsOf(nodes, 'deliveries') - counted)).toBeLessThan(2);
});

it('marks change with the lane and with a new delivery, and other marks do not', async () => {
  const before = await lanes.marks(otherAccountId, DESTINATIONS);
  expect(before.size).toBe(DESTINATIONS);
  await store.pool.query(`update delivery_lanes set failures = failures where destination_id = 'ed_b00001'`);
  const client = await store.pool.connect();
  await client.query('set session_replication_role = replica');
  await client.query(
    `insert into deliveries (event_id, destination_id, account_id, created_at) values ('evt_marked', 'ed_b00002', $1, now())`,
    [otherAccountId],
  );
  client.release(true);
  const after = await lanes.marks(otherAccountId, DESTINATIONS);
  const changed = [...after].filter(([id, mark]) => before.get(id) !== mark).map(([id]) => id);
  expect(changed.toSorted()).toEqual(['ed_b00001', 'ed_b00002']);
  await store.pool.query(`delete from deliveries where destination_id = 'ed_b00002'`);
});

it('is tried with many more pending deliveries than are counted', async () => {
  expect(PENDING_OF_BROKEN).toBeGreaterThan(2 * MAX_COUNTED_IN_PAGE);
  const { rows } = await store.pool.query('select count(*)::int as count from deliveries');
  expect(rows).toEqual([{ count: PENDING }]);
});

it('walks all destinations of the account once, newest first, whatever their status', async () => {
  const walked: string[] = [];
  for (let beforeId: string | undefined; ; beforeId = walked.at(-1)) {
    const page = await pageOf({ beforeId, limit: MAX_PAGE_SIZE });
    walked.push(...page.map(({ destinationId }) => destinationId));
    if (page.length < MAX_PAGE_SIZE) break;
  }
  const ids = Array.from({ length: DESTINATIONS }, (_, n) => `ed_a${String(DESTINATIONS - n).padStart(5, '0')}`);
  expect(walked).toEqual(ids);
});

it('counts what waits up to a bound, and shows the wanted states alone', async () => {
  const broken = await pageOf({ states: ['misconfigured', 'misconfigured'] });
  expect(broken).toHaveLength(BROKEN);
  for (const { state, counted, destinationId } of broken) {
    expect([state, counted]).toEqual(['misconfigured', MAX_COUNTED_IN_PAGE + 1]);
    expect(destinationId).toMatch(/00$/);
  }
  const paused = await pageOf({ states: ['paused'] });
  expect(paused.map(({ state }) => state)).toEqual(Array.from({ length: DESTINATIONS / 100 }, () => 'paused'));
  const [healthy] = await pageOf({ states: ['healthy'], limit: 1 });
  expect(healthy?.counted).toBe(PENDING_OF_OTHERS);
  const [theirs] = await lanes.list(otherAccountId, { ...all, limit: 1 });
  expect([theirs?.destinationId, theirs?.counted]).toEqual(['ed_b02000', 0]);
});

it('the destinations whose status may have to be reported are found by their state', async () => {
  const client = await store.pool.connect();
  await client.query('set session_replication_role = replica');
  await client.query(
    `insert into event_routes (account_id, event_type, destination_id, subscription_id)
     values ($1, 'event_destination_status_changed.v0', 'ed_a00001', 'esb_1')`,
    [accountId],
  );
  client.release(true);
  const health = new HealthStore(explained.db, 0);
  // Every hundredth one is misconfigured, retrying and paused.
  const found = await health.changed('', MAX_PAGE_SIZE);
  expect(found).toHaveLength((3 * DESTINATIONS) / 100);
  const plans = await explained.plansOf(() => health.changed('', MAX_PAGE_SIZE));
  expect(plans).toHaveLength(1);
  const [nodes = []] = plans;
  // Those that were found, and one of the search for lanes that are healthy again.
  expect(rowsOf(nodes, 'delivery_lanes')).toBeLessThanOrEqual(found.length + 1);
  expect(nodes.flatMap((node) => node['Index Name'] ?? [])).toContain('delivery_lanes_by_state');
});
