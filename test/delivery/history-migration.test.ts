import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { openDatabase, type Database } from '../../src/database/database.js';
import { migrate, migrations } from '../../src/database/migrate.js';
import { FinishedMover } from '../../src/delivery/history/finished-mover.js';
import { MovedStore } from '../../src/delivery/history/moved-store.js';
import { BatchStore } from '../../src/delivery/lanes/batch-store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import type { Lease } from '../../src/delivery/lanes/lane.js';
import { RedeliveryStore } from '../../src/delivery/redelivery/redelivery-store.js';
import { DeliveryViewStore } from '../../src/delivery/views/delivery-view-store.js';
import { DeliverySearchStore } from '../../src/events/search/delivery-search-store.js';
import { newId } from '../../src/ids/id.js';
import { createLogger } from '../../src/logging/logger.js';
import { targetLimits } from '../../src/targets/registry.js';
import { runStatement } from '../../tools/bench/environment/database.js';
import { everyDelivery, newestDeliveries } from '../support/delivery-filter.js';
import { LATER_COLUMNS } from '../support/later-columns.js';
import { withDatabase } from '../support/test-postgres.js';
import { healthySettlement } from './support/healthy-settlement.js';
import { dayPrefixes } from './support/history.js';
import { settleBeforeHistory } from './support/settle-before-history.js';

const logger = createLogger('silent');
const ACCOUNT = 'acc_1';
/** Destinations whose deliveries a process of the release before delivers, and of this one. */
const BEFORE = 'ed_before';
const NOW = 'ed_now';
const destinations = [BEFORE, NOW];
/** Finished and pending deliveries of each destination when the migration starts. */
const FINISHED = 15_000;
const PENDING = 3_000;

let name: string;
let url: string;
let db: Database;
let pool: Pool;

beforeEach(async () => {
  name = `waybill_history_${randomBytes(6).toString('hex')}`;
  await runStatement(inject('postgresUrl'), `create database ${name}`);
  url = withDatabase(inject('postgresUrl'), name);
  const before = Object.entries(migrations).filter(([known]) => known <= '0031_publisher_ids');
  await migrate(url, logger, Object.fromEntries(before));
  ({ db, pool } = openDatabase({ connectionString: url, poolSize: 8, applicationName: name, logger }));
  pool.on('error', () => {});
  // The batches of the release before are read with the code of this one.
  await pool.query(LATER_COLUMNS);
  await seed();
});
afterEach(async () => {
  await db.destroy();
  await runStatement(inject('postgresUrl'), `drop database ${name} with (force)`);
});

/** Destinations with a history of 40 days in each state, and deliveries that wait. */
async function seed(): Promise<void> {
  await pool.query(`insert into accounts (id, name) values ($1, 'test')`, [ACCOUNT]);
  await pool.query(
    `insert into resources (id, account_id, kind, attributes, created_at, updated_at)
     select id, $1, 'event_destination', '{}', now(), now() from unnest($2::text[]) id`,
    [ACCOUNT, destinations],
  );
  const prefixes = dayPrefixes(40);
  await pool.query(
    `insert into events (id, account_id, type, resource_id, payload, created_at)
     select ($1::text[])[1 + (n - 1) * $2 / $3] || lpad(n::text, 16, '0'), $4, 'ip_policy_created.v0', 'ipp_1', '{}', now()
     from generate_series(1, $3::int) n`,
    [prefixes, prefixes.length, FINISHED + PENDING, ACCOUNT],
  );
  await pool.query(
    `insert into deliveries (event_id, destination_id, account_id, state, sequence, batch_id, attempts, created_at,
                             finished_at, error_code, earlier_runs)
     select id, destination_id, $1, state, case when state <> 'pending' then n end,
            case when state <> 'pending' then 'bat_' || n / 100 end, (state <> 'pending')::int, created_at,
            case when state <> 'pending' then now() - interval '1 hour' end,
            case when state in ('rejected', 'expired') then 'no' end,
            case when n % 100 = 0 then '[{"batch_id": "bat_x", "attempts": 1, "state": "rejected", "code": null, "message": null}]'::jsonb end
     from (
       select *, case when n > $2 then 'pending' when n % 50 = 0 then 'rejected' when n % 51 = 0 then 'expired' else 'delivered' end as state
       from (select id, created_at, row_number() over (order by id) as n from events) numbered
     ) e cross join unnest($3::text[]) destination_id
     order by n`,
    [ACCOUNT, FINISHED, destinations],
  );
  await pool.query(
    `insert into delivery_lanes (destination_id, account_id, target_kind, next_sequence, epoch)
     select id, $1, 'data_stream', $2, (select epoch from installation) from unnest($3::text[]) id`,
    [ACCOUNT, FINISHED + 1, destinations],
  );
}

/** An event with a delivery to each destination, as processes of either release insert them. */
async function publish(): Promise<void> {
  const id = newId('evt');
  await pool.query(
    `with event as (
       insert into events (id, account_id, type, resource_id, payload, created_at)
       values ($1, $2, 'ip_policy_created.v0', 'ipp_1', '{}', now())
     )
     insert into deliveries (event_id, destination_id, account_id, created_at)
     select $1, destination_id, $2, now() from unnest($3::text[]) destination_id`,
    [id, ACCOUNT, destinations],
  );
}

/** Takes the next batch of a destination, and returns its lease; null when nothing waits. */
async function leased(destinationId: string): Promise<Lease | null> {
  const lanes = new LaneStore(db, targetLimits);
  const batchId = newId('bat');
  if (!(await lanes.claim(destinationId, batchId))) return null;
  const grant = await lanes.lease(destinationId, batchId, newId('att'), 60_000);
  if (grant.kind !== 'granted') throw new Error(grant.kind);
  return grant.lease;
}

/** Delivers the next batch of a destination as a process of the release before. */
async function deliverAsBefore(): Promise<void> {
  const lease = await leased(BEFORE);
  if (lease) expect(await settleBeforeHistory(db, lease, await new BatchStore(db).load(lease))).toBe(true);
}

/** Delivers the next batch of a destination as a worker of this release, and returns whether there was one. */
async function deliver(destinationId: string): Promise<boolean> {
  const lease = await leased(destinationId);
  if (!lease) return false;
  const loaded = await new BatchStore(db).load(lease);
  const delivered = loaded.map(({ id, event: { sequence } }) => ({ id, sequence }));
  const settlement = { ...healthySettlement, delivered, undelivered: [] };
  expect(await new LaneStore(db, targetLimits).settle(lease, settlement)).toBe('settled');
  return true;
}

/** Repeats `step` until `stop` is called, which returns its error. */
function repeat(step: () => Promise<unknown>): { stop: () => Promise<void> } {
  const state = { stopped: false };
  const ended = (async () => {
    while (!state.stopped) await step();
  })();
  ended.catch(() => undefined);
  return {
    stop: async () => {
      state.stopped = true;
      await ended;
    },
  };
}

/** Every delivery with what never changes of a finished one. */
async function finished(table: string): Promise<readonly unknown[]> {
  const { rows } = await pool.query<Record<string, unknown>>(
    `select id, event_id, destination_id, state, sequence, batch_id, attempts, created_at, finished_at, error_code, earlier_runs
     from ${table} where state <> 'pending' and sequence <= $1 order by destination_id, id`,
    [FINISHED],
  );
  return rows;
}

/** Migrates to this release, so long ago that the release before has ended. */
async function upgrade(): Promise<void> {
  await migrate(url, logger);
  await pool.query(`update schema_migrations set finished_at = finished_at - interval '61 minutes'`);
}

/** The responses of the API about one destination, page by page. */
async function responses(): Promise<readonly unknown[]> {
  const views = new DeliveryViewStore(db);
  const search = new DeliverySearchStore(db);
  const pages: unknown[] = [];
  for (const state of [undefined, 'delivered', 'rejected', 'expired'] as const) {
    let beforeId: number | undefined;
    for (let page = 0; page < 5; page += 1) {
      const filter = { ...everyDelivery, state };
      const found = (await search.page(ACCOUNT, NOW, filter, newestDeliveries(beforeId), 100))?.deliveries ?? [];
      pages.push(found);
      beforeId = found.at(-1)?.id;
    }
  }
  const { rows } = await pool.query<{ id: string }>('select id from events order by id limit 5');
  for (const { id } of rows) {
    pages.push(
      await views.ofEvent(ACCOUNT, id, { limit: 100, beforeId: undefined }),
      await views.find(ACCOUNT, NOW, id),
    );
  }
  return pages;
}

const control = (stopped = new AbortController().signal) => ({ stopped, progressed: () => {} });

it('moves an existing history while two releases deliver, ends anywhere, and loses, repeats and renumbers nothing', async () => {
  const before = await finished('deliveries');
  expect(before).toHaveLength(2 * FINISHED);

  // The release before runs during the migration.
  const loads = [repeat(publish), repeat(deliverAsBefore)];
  await upgrade();
  loads.push(repeat(() => deliver(NOW)));

  // Whoever reads sees every delivery once, at any moment.
  let seen = 0;
  const reading = repeat(async () => {
    const { rows } = await pool.query<{ count: number; ids: number }>(
      'select count(*)::int as count, count(distinct id)::int as ids from all_deliveries',
    );
    const [counted = { count: 0, ids: 0 }] = rows;
    expect(counted.ids).toBe(counted.count);
    expect(counted.count).toBeGreaterThanOrEqual(seen);
    seen = counted.count;
  });

  // A process that stops, one whose connection is lost, and one that ends the work.
  const mover = () => new FinishedMover(new MovedStore(db), logger, 500);
  const stopping = new AbortController();
  let pages = 0;
  await mover().move({
    stopped: stopping.signal,
    progressed: () => {
      pages += 1;
      if (pages === 10) stopping.abort();
    },
  });
  const other = openDatabase({ connectionString: url, poolSize: 1, applicationName: 'killed', logger });
  const killed = new FinishedMover(new MovedStore(other.db), logger, 500).move(control());
  killed.catch(() => undefined);
  await expect
    .poll(
      async () => {
        const { rowCount } = await pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'killed' and state = 'active'`,
        );
        return rowCount;
      },
      { timeout: 30_000, interval: 1 },
    )
    .toBe(1);
  await expect(killed).rejects.toThrow('terminat');
  await other.db.destroy();
  const left = await pool.query(`select from deliveries where state <> 'pending'`);
  expect(left.rowCount).toBeGreaterThan(FINISHED);
  await mover().move(control());

  for (const load of [...loads, reading]) await load.stop();
  // What the release before finished last, and what still waits.
  for (const id of destinations) while (await deliver(id));
  await mover().move(control());

  const remaining = await pool.query('select from deliveries');
  expect(remaining.rowCount).toBe(0);
  expect(await finished('delivery_history')).toEqual(before);
  const { rows: numbers } = await pool.query(
    `select destination_id, count(*)::int as count, count(distinct sequence)::int as numbers, min(sequence)::int as first,
            max(sequence)::int as last, bool_and(state <> 'pending') as finished,
            (select count(*)::int from events) as events
     from all_deliveries group by destination_id order by destination_id`,
  );
  const { rows: events } = await pool.query<{ count: number }>('select count(*)::int as count from events');
  const count = events[0]?.count ?? 0;
  expect(count).toBeGreaterThan(FINISHED + PENDING);
  const whole = { count, numbers: count, first: 1, last: count, finished: true, events: count };
  expect(numbers).toEqual(destinations.map((id) => ({ destination_id: id, ...whole })));
  // Each day has its partition: nothing is outside.
  const { rowCount: outside } = await pool.query('select from delivery_history_default');
  expect(outside).toBe(0);
});

it('answers the same before and after the move, and during it', async () => {
  await migrate(url, logger);
  const before = await responses();
  const store = new MovedStore(db);
  // Processes of the release before may still run.
  expect(await new FinishedMover(store, logger).move(control())).toBe(0);
  expect(await responses()).toEqual(before);
  await upgrade();
  await store.page(null, 7_777);
  expect(await responses()).toEqual(before);
  expect(await new FinishedMover(store, logger).move(control())).toBe(2 * FINISHED - 7_777);
  expect(await responses()).toEqual(before);
  expect(await finished('deliveries')).toEqual([]);
});

it('redelivers what is moved at the same moment, wherever it is', async () => {
  await upgrade();
  const redeliveries = new RedeliveryStore(db);
  const { rows } = await pool.query<{ event_id: string }>(
    `select event_id from deliveries where destination_id = $1 and state <> 'pending' order by id limit 3000`,
    [NOW],
  );
  const chosen = rows.map(({ event_id: id }) => id);
  const moving = new FinishedMover(new MovedStore(db), logger, 200).move(control());
  let count = 0;
  for (let first = 0; first < chosen.length; first += 100) {
    const found = await redeliveries.find(ACCOUNT, NOW, chosen.slice(first, first + 100));
    count += await redeliveries.redeliver(NOW, [...found.values()]);
  }
  await moving;
  expect(count).toBe(chosen.length);
  const { rows: states } = await pool.query(
    `select state, count(*)::int as count from all_deliveries where event_id = any($1) and destination_id = $2 group by state`,
    [chosen, NOW],
  );
  expect(states).toEqual([{ state: 'pending', count: chosen.length }]);
});
