import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { AttemptRollup } from '../../src/delivery/rollups/attempt-rollup.js';
import { RollupStore } from '../../src/delivery/rollups/rollup-store.js';
import { DestinationMetricsStore } from '../../src/destinations/metrics/destination-metrics-store.js';
import { createLogger } from '../../src/logging/logger.js';
import { createTestStore } from '../support/database.js';
import { untilCountable } from './support/other-transactions.js';
import { ExplainedQueries, rowsRead, type PlanNode } from './support/plans.js';
import { seedAccount } from './support/seed.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DESTINATIONS = 20;
/** Days of minutes, and of hours. */
const DAYS = 30;
/** Minutes of each destination that have a row: every fourth. */
const EVERY = 4;
const ATTEMPTS = 50_000;
const now = Math.floor(Date.now() / DAY) * DAY;
const control = { stopped: new AbortController().signal, progressed: () => {} };

let store: Store;
let accountId: string;
let explained: ExplainedQueries;

beforeAll(async () => {
  store = await createTestStore();
  explained = new ExplainedQueries(store);
  accountId = await seedAccount(store);
  const client = await store.pool.connect();
  await client.query('set statement_timeout = 0');
  await client.query('set session_replication_role = replica');
  await client.query(
    `insert into delivery_lanes (destination_id, account_id, target_kind)
     select 'ed_' || n, $1, 'data_stream' from generate_series(1, $2::int) n`,
    [accountId, DESTINATIONS],
  );
  for (const [table, seconds] of [
    ['destination_minutes', 60 * EVERY],
    ['destination_hours', 3_600],
  ] as const) {
    await client.query(
      `insert into ${table} (destination_id, begins_at, attempts, records, largest_batch, delivered, retried, rejected,
                             expired, latencies)
       select 'ed_' || d, $2::timestamptz - n * $3 * interval '1 second', 1, 10, 10, 10, 0, 0, 0, '{{5,4},{9,6}}'
       from generate_series(1, $1::int) d, generate_series(1, ${(DAYS * DAY) / 1_000} / $3) n`,
      [DESTINATIONS, new Date(now), seconds],
    );
    await client.query(`vacuum analyze ${table}`);
  }
  await client.query(
    `insert into delivery_attempts (batch_id, destination_id, number, started_at, duration_ms, records, delivered,
                                    retried, rejected, outcome, latencies)
     select 'bat_' || n, 'ed_' || n % $1, 1, now(), 1, 3, 3, 0, 0, 'healthy', '{{7,3}}'
     from generate_series(1, $2::int) n`,
    [DESTINATIONS, ATTEMPTS],
  );
  await client.query('vacuum analyze delivery_attempts');
  client.release(true);
});
afterAll(() => store.close());

function rowsOf(nodes: readonly PlanNode[], table: string): number {
  const scans = nodes.filter((node) => node['Relation Name'] === table);
  return scans.reduce((sum, node) => sum + rowsRead(node), 0);
}

it.each([
  ['a day of minutes', 'destination_minutes', DAY, MINUTE, DAY / MINUTE / EVERY],
  ['five days of five minutes', 'destination_minutes', 5 * DAY, 5 * MINUTE, (5 * DAY) / MINUTE / EVERY],
  ['30 days of hours', 'destination_hours', 30 * DAY, HOUR, 30 * 24],
  ['30 days of days', 'destination_hours', 30 * DAY, DAY, 30 * 24],
] as const)(
  'the metrics of %s read the rows of the destination in the range, once',
  async (_, table, length, stepMs, rows) => {
    const range = { from: new Date(now - length), to: new Date(now), stepMs, table };
    const metrics = new DestinationMetricsStore(explained.db);
    const plans = await explained.plansOf(async () => {
      const found = await metrics.read(accountId, 'ed_7', range);
      const delivered = [...(found?.steps.values() ?? [])].reduce((sum, step) => sum + step.delivered, 0);
      expect(delivered).toBe(10 * rows);
    });
    const nodes = plans.flat();
    expect(rowsOf(nodes, table)).toBe(rows);
    expect(nodes.flatMap((node) => node['Index Name'] ?? [])).toContain(`${table}_pkey`);
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === table)).toEqual([]);
  },
);

it.each([
  ['an hour of minutes', 'destination_minutes', HOUR, MINUTE, HOUR / MINUTE / EVERY],
  ['a week of hours', 'destination_hours', 7 * DAY, HOUR, 7 * 24],
] as const)(
  'the rates of ten destinations over %s read the rows of these destinations in the range, once',
  async (_, table, length, stepMs, rows) => {
    const range = { from: new Date(now - length), to: new Date(now), stepMs, table };
    const metrics = new DestinationMetricsStore(explained.db);
    const plans = await explained.plansOf(async () => {
      const wanted = { ids: null, limit: 10, beforeId: undefined };
      const { destinations } = await metrics.readRates(accountId, wanted, range);
      const steps = [...destinations.values()].flatMap((found) => [...found.values()]);
      expect(destinations.size).toBe(10);
      expect(steps.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(10 * 10 * rows);
    });
    expect(plans).toHaveLength(2);
    const nodes = plans.flat();
    expect(rowsOf(nodes, table)).toBe(10 * rows);
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === table)).toEqual([]);
  },
);

it('a page of the roll-up reads its own attempts alone', async () => {
  const size = 1_000;
  const position = 30_000;
  await store.pool.query('update attempt_rollup set counted_id = $1', [position]);
  const rollups = new RollupStore(explained.db);
  const plans = await explained.plansOf(async () => {
    await rollups.propose();
    await untilCountable(store);
    expect(await rollups.rollUp(size)).toEqual({ attempts: size, isDone: false });
  });
  expect(plans.length).toBeGreaterThan(3);
  for (const nodes of plans) expect(rowsOf(nodes, 'delivery_attempts')).toBeLessThanOrEqual(size);
  await untilCountable(store);
  expect(await new AttemptRollup(new RollupStore(store.db), createLogger('silent')).run(control)).toBe(
    ATTEMPTS - position - size,
  );
});
