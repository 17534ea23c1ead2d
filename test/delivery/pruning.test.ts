import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import { PruneStore } from '../../src/delivery/retention/prune-store.js';
import { Pruner } from '../../src/delivery/retention/pruner.js';
import { createLogger } from '../../src/logging/logger.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
import { seedAccount, seedDestination, seedEvents, type SeededDestination } from './support/seed.js';

const DAY = 86_400_000;
const retention = { deliveredMs: 7 * DAY, undeliveredMs: 30 * DAY, eventsMs: 100 * DAY };
const control = { stopped: new AbortController().signal, progressed: () => {} };
let store: Store;
let pruner: Pruner;
let destination: SeededDestination;

beforeEach(async () => {
  store = await createTestStore();
  pruner = new Pruner(new PruneStore(store.db), retention, 3 * DAY, createLogger('silent'));
  const lanes = new LaneStore(store.db, targetLimits);
  destination = await seedDestination(store, new SecretStore(testKeyRing()), lanes, await seedAccount(store));
});
afterEach(() => store.close());

/** Seeds events of an age whose deliveries reached a state at that age. Returns the events' ids. */
async function seedOld(count: number, state: string, days: number): Promise<readonly string[]> {
  const ids = await seedEvents(store, [destination], count, { ageMs: days * DAY });
  if (state !== 'pending') {
    await store.pool.query(
      `update deliveries set state = $2, finished_at = now() - $3 * interval '1 day' where event_id = any($1)`,
      [ids, state, days],
    );
  }
  return ids;
}

async function remainingEvents(): Promise<Set<string>> {
  const rows = await store.db.selectFrom('events').select('id').execute();
  return new Set(rows.map(({ id }) => id));
}

async function withDelivery(): Promise<Set<string>> {
  const rows = await store.db.selectFrom('deliveries').select('event_id').execute();
  return new Set(rows.map(({ event_id: id }) => id));
}

it('removes deliveries past the retention of their states, and keeps their events', async () => {
  // The oldest first: ids are in the order of time.
  const pending = await seedOld(1, 'pending', 60);
  const gone = [...(await seedOld(3, 'rejected', 31)), ...(await seedOld(3, 'expired', 31))];
  const kept = [...pending, ...(await seedOld(2, 'expired', 29)), ...(await seedOld(1, 'rejected', 8))];
  gone.push(...(await seedOld(1_200, 'delivered', 8)));
  kept.push(...(await seedOld(2, 'delivered', 6)), ...(await seedOld(1, 'pending', 0)));

  expect(await pruner.prune(control)).toMatchObject({ deliveries: gone.length, events: 0 });
  expect(await withDelivery()).toEqual(new Set(kept));
  expect(await remainingEvents()).toEqual(new Set([...gone, ...kept]));
  expect(await pruner.prune(control)).toMatchObject({ deliveries: 0 });
});

it('removes each delivery of an event by its own state', async () => {
  const lanes = new LaneStore(store.db, targetLimits);
  const other = await seedDestination(store, new SecretStore(testKeyRing()), lanes, destination.accountId);
  const [id = ''] = await seedEvents(store, [destination, other], 1, { ageMs: 8 * DAY });
  await store.pool.query(
    `update deliveries set state = 'delivered', finished_at = now() - interval '8 days'
     where event_id = $1 and destination_id = $2`,
    [id, destination.id],
  );
  expect(await pruner.prune(control)).toMatchObject({ deliveries: 1 });
  const left = await store.db.selectFrom('deliveries').select('destination_id').where('event_id', '=', id).execute();
  expect(left).toEqual([{ destination_id: other.id }]);
});

it('removes all that is due in one turn, also where rows were kept for long before', async () => {
  const kept = await seedOld(1, 'pending', 60);
  const ids = await seedOld(12_500, 'expired', 29);
  expect(await pruner.prune(control)).toMatchObject({ deliveries: 0 });
  await store.pool.query(`update deliveries set finished_at = now() - interval '31 days' where event_id = any($1)`, [
    ids,
  ]);
  expect(await pruner.prune(control)).toMatchObject({ deliveries: 12_500 });
  expect((await withDelivery()).has(kept[0] ?? '')).toBe(true);
}, 120_000);

it('removes events past their retention, but none that has a delivery', async () => {
  const pending = await seedOld(1, 'pending', 101);
  const gone = await seedOld(2, 'delivered', 101);
  const kept = [...pending, ...(await seedOld(1, 'delivered', 99))];
  expect(await pruner.prune(control)).toMatchObject({ events: gone.length });
  const left = await remainingEvents();
  expect([...gone, ...kept].filter((id) => left.has(id))).toEqual(kept);
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
  expect(await pruner.prune(control)).toMatchObject({ attempts: 2 });
  const attempts = await store.db.selectFrom('delivery_attempts').select('batch_id').execute();
  expect(attempts.map(({ batch_id }) => batch_id)).toEqual(['retrying_29', 'healthy_6']);
});

it('removes nothing once the process stops', async () => {
  await seedOld(600, 'delivered', 8);
  expect(await pruner.prune({ ...control, stopped: AbortSignal.abort() })).toEqual({
    deliveries: 0,
    events: 0,
    attempts: 0,
  });
});

it('keeps a delivery that is being redelivered, and does not wait for that transaction', async () => {
  const [eventId = ''] = await seedOld(1, 'delivered', 8);
  const redelivering = await store.pool.connect();
  try {
    await redelivering.query('begin');
    await redelivering.query(`update deliveries set state = 'pending', redelivered_at = now() where event_id = $1`, [
      eventId,
    ]);
    await pruner.prune(control);
    await redelivering.query('commit');
  } finally {
    redelivering.release();
  }
  await pruner.prune(control);
  const left = await store.db.selectFrom('deliveries').select('state').where('event_id', '=', eventId).execute();
  expect(left).toEqual([{ state: 'pending' }]);
});

it('removes deliveries in smaller pages when a page exceeds the statement timeout', async () => {
  const limited = (url: string) => `${url}${url.includes('?') ? '&' : '?'}statement_timeout=500`;
  const slow = await createTestStore({ through: limited });
  try {
    const lanes = new LaneStore(slow.db, targetLimits);
    const secrets = new SecretStore(testKeyRing());
    const one = await seedDestination(slow, secrets, lanes, await seedAccount(slow));
    await seedEvents(slow, [one], 40, { ageMs: 8 * DAY });
    await slow.pool.query(`update deliveries set state = 'delivered', finished_at = now() - interval '8 days'`);
    // Removing one delivery takes as long as removing those of an event with thousands.
    await slow.pool.query(`create function slowly() returns trigger language plpgsql as $$
      begin perform pg_sleep(0.03); return old; end $$`);
    await slow.pool.query('create trigger slowly before delete on deliveries for each row execute function slowly()');
    const slowPruner = new Pruner(new PruneStore(slow.db), retention, 3 * DAY, createLogger('silent'));
    expect(await slowPruner.prune(control)).toMatchObject({ deliveries: 40 });
  } finally {
    await slow.close();
  }
}, 30_000);
