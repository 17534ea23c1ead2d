import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../src/database/database.js';
import type { Store } from '../../src/database/store.js';
import type { DeliveryState } from '../../src/database/tables.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import { PruneStore } from '../../src/events/retention/prune-store.js';
import { Pruner } from '../../src/events/retention/pruner.js';
import { createLogger } from '../../src/logging/logger.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { createTestStore } from '../support/database.js';
import { dropEventPartitions } from '../support/event-partitions.js';
import { testKeyRing } from '../support/secrets.js';
import { finishDeliveries } from './support/finished.js';
import { seedAccount, seedDestination, seedEvents, type SeededDestination } from './support/seed.js';

const DAY = 86_400_000;
const retention = { deliveredMs: 7 * DAY, undeliveredMs: 30 * DAY, eventsMs: 100 * DAY };
const control = { stopped: new AbortController().signal, progressed: () => {} };
let store: Store;
let pruner: Pruner;
let destination: SeededDestination;

beforeEach(async () => {
  store = await createTestStore();
  await dropEventPartitions(store);
  pruner = new Pruner(new PruneStore(store.db), retention, createLogger('silent'));
  const lanes = new LaneStore(store.db, targetLimits);
  destination = await seedDestination(store, new SecretStore(testKeyRing()), lanes, await seedAccount(store));
});
afterEach(() => store.close());

/** Seeds events of an age whose deliveries reached a state at that age. Returns the events' ids. */
async function seedOld(count: number, state: DeliveryState, days: number): Promise<readonly string[]> {
  const ids = await seedEvents(store, [destination], count, { ageMs: days * DAY });
  if (state !== 'pending') await finishDeliveries(store, ids, { state, daysAgo: days });
  return ids;
}

/** Seeds events whose deliveries are gone. */
async function seedWithout(count: number, days: number): Promise<readonly string[]> {
  const ids = await seedEvents(store, [destination], count, { ageMs: days * DAY });
  await store.pool.query('delete from deliveries where event_id = any($1)', [ids]);
  return ids;
}

async function remainingEvents(): Promise<Set<string>> {
  const rows = await store.db.selectFrom('events').select('id').execute();
  return new Set(rows.map(({ id }) => id));
}

it('removes events past their retention, but none that has a delivery, in either table', async () => {
  const pending = await seedOld(1, 'pending', 101);
  const finished = await seedOld(1, 'delivered', 101);
  const gone = await seedWithout(1_200, 101);
  const kept = [...pending, ...finished, ...(await seedWithout(1, 99))];
  expect(await pruner.run(control)).toMatchObject({ events: gone.length });
  const left = await remainingEvents();
  expect([...gone, ...kept].filter((id) => left.has(id))).toEqual(kept);
  expect(await pruner.run(control)).toMatchObject({ events: 0 });
});

it('removes all that is due in one turn, also where rows were kept for long before', async () => {
  const [kept] = await seedOld(1, 'pending', 160);
  const ids = await seedWithout(12_500, 99);
  expect(await pruner.run(control)).toMatchObject({ events: 0 });
  await store.pool.query(`update events set created_at = now() - interval '101 days' where id = any($1)`, [ids]);
  expect(await pruner.run(control)).toMatchObject({ events: 12_500 });
  expect(await remainingEvents()).toEqual(new Set([kept]));
});

it('removes attempts by their outcome and age', async () => {
  const attempt = (outcome: string, days: number) => ({
    batch_id: `${outcome}_${days}`,
    destination_id: destination.id,
    number: 1,
    started_at: new Date(Date.now() - days * DAY),
    duration_ms: 1,
    records: 1,
    delivered: 1,
    retried: 0,
    rejected: 0,
    outcome,
  });
  await store.db
    .insertInto('delivery_attempts')
    .values([attempt('retrying', 31), attempt('retrying', 29), attempt('healthy', 8), attempt('healthy', 6)])
    .execute();
  expect(await pruner.run(control)).toMatchObject({ attempts: 2 });
  const attempts = await store.db.selectFrom('delivery_attempts').select('batch_id').execute();
  expect(attempts.map(({ batch_id }) => batch_id)).toEqual(['retrying_29', 'healthy_6']);
});

it('removes nothing once the process stops', async () => {
  await seedWithout(600, 101);
  expect(await pruner.run({ ...control, stopped: AbortSignal.abort() })).toEqual({ events: 0, attempts: 0 });
});

it('removes events in smaller pages when a page exceeds the statement timeout', async () => {
  await seedWithout(40, 101);
  await store.pool.query(`create function slowly() returns trigger language plpgsql as $$
    begin perform pg_sleep(0.01); return old; end $$`);
  await store.pool.query('create trigger slowly before delete on events for each row execute function slowly()');
  const url = store.connectionString;
  const { db } = openDatabase({
    connectionString: `${url}${url.includes('?') ? '&' : '?'}statement_timeout=250`,
    poolSize: 1,
    applicationName: 'limited',
    logger: createLogger('silent'),
  });
  try {
    const limited = new Pruner(new PruneStore(db), retention, createLogger('silent'));
    expect(await limited.run(control)).toMatchObject({ events: 40 });
  } finally {
    await db.destroy();
  }
});
