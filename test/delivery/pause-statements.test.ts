import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { readDatabaseTime } from '../../src/database/database-time.js';
import type { Store } from '../../src/database/store.js';
import { BatchStore } from '../../src/delivery/lanes/batch-store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import type { Lease, Settlement } from '../../src/delivery/lanes/lane.js';
import { newId } from '../../src/ids/id.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { until } from '../../tools/harness/until.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
import { healthySettlement } from './support/healthy-settlement.js';
import {
  deliveriesOf,
  laneOf,
  seedAccount,
  seedDestination,
  seedEvents,
  type SeededDestination,
} from './support/seed.js';

const HOUR = 3_600_000;
const small = { ...targetLimits, data_stream: { ...targetLimits.data_stream, records: 3 } };

let store: Store;
let lanes: LaneStore;
let batches: BatchStore;
let accountId: string;
let to: SeededDestination;
beforeAll(async () => {
  store = await createTestStore({ poolSize: 10 });
  lanes = new LaneStore(store.db, small);
  batches = new BatchStore(store.db, 'log.test');
  accountId = await seedAccount(store);
});
afterAll(() => store.close());
beforeEach(async () => {
  to = await seedDestination(store, new SecretStore(testKeyRing()), lanes, accountId);
  await seedEvents(store, [to], 9);
});

const pause = () => store.db.transaction().execute(async (trx) => lanes.pause(trx, to.id, await readDatabaseTime(trx)));
const unpause = () => store.db.transaction().execute((trx) => lanes.unpause(trx, to.id));

/** Claims the first batch. Returns its id. */
async function claimed(): Promise<string> {
  const batchId = newId('bat');
  expect((await lanes.claim(to.id, batchId))?.events).toHaveLength(3);
  return batchId;
}

async function leased(): Promise<Lease> {
  const grant = await lanes.lease(to.id, await claimed(), newId('att'), HOUR);
  if (grant.kind !== 'granted') throw new Error(`not granted: ${grant.kind}`);
  return grant.lease;
}

async function allDelivered(lease: Lease): Promise<Settlement> {
  const deliveries = await batches.load(lease);
  const delivered = deliveries.map(({ id, event }) => ({ id, sequence: event.sequence }));
  return { ...healthySettlement, delivered, undelivered: [] };
}

it('is not claimed, alone or in a group', async () => {
  await pause();
  expect(await lanes.claim(to.id, newId('bat'))).toBeNull();
  expect(await lanes.claimGroup([{ destinationId: to.id, batchId: newId('bat') }])).toEqual([null]);
  await unpause();
  await claimed();
});

it('voids a claim that waits for the lock of the pause', async () => {
  let claim: Promise<unknown> = Promise.resolve();
  await store.db.transaction().execute(async (trx) => {
    await lanes.pause(trx, to.id, await readDatabaseTime(trx));
    claim = lanes.claim(to.id, newId('bat'));
    await until(async () => {
      const { rows } = await store.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    }, 'the claim waits for the lane');
  });
  expect(await claim).toBeNull();
  expect(await laneOf(store, to.id)).toMatchObject({ batch_id: null, next_sequence: 1 });
});

it('grants no lease, alone or in a group, and the job is delayed until the end of the pause', async () => {
  const batchId = await claimed();
  await pause();
  const grant = await lanes.lease(to.id, batchId, newId('att'), HOUR);
  expect(grant).toEqual({ kind: 'later', delayMs: 24 * HOUR });
  const request = { destinationId: to.id, batchId, token: newId('att'), failingWaitMs: null };
  expect(await lanes.leaseGroup([request], HOUR)).toEqual([null]);
  await unpause();
  expect(await lanes.leaseGroup([request], HOUR)).toMatchObject([{ lease: { batchId } }]);
});

it('is freed by a settlement that would claim the next batch', async () => {
  const lease = await leased();
  await pause();
  const next = { batchId: newId('bat'), token: newId('att') };
  const recorded = { lease, settlement: await allDelivered(lease) };
  expect(await lanes.advance({ recorded, current: null, next }, HOUR)).toEqual({ kind: 'advanced', next: null });
  expect(await laneOf(store, to.id)).toMatchObject({ batch_id: null, next_sequence: 4 });
});

it('takes nothing behind a batch that is sent, and records the batch before it', async () => {
  const first = await leased();
  const claim = await lanes.advance(
    { recorded: null, current: first, next: { batchId: newId('bat'), token: first.token } },
    HOUR,
  );
  if (claim.kind !== 'advanced' || !claim.next) throw new Error('nothing was claimed');
  await pause();
  const second = claim.next;
  const advance = { current: second, next: { batchId: newId('bat'), token: second.token } };
  const recorded = { lease: first, settlement: await allDelivered(first) };
  expect(await lanes.advance({ ...advance, recorded }, HOUR)).toEqual({ kind: 'advanced', next: null });
  const states = (await deliveriesOf(store, to.id)).map(({ state }) => state);
  expect(states.filter((state) => state === 'delivered')).toHaveLength(3);
  expect(await laneOf(store, to.id)).toMatchObject({ batch_id: second.batchId, next_sequence: 7 });
  expect(await lanes.advance({ ...advance, recorded: null }, HOUR)).toEqual({ kind: 'unchanged' });
});

it('expires nothing that waits; after the pause, what was overdue before it', async () => {
  await store.pool.query(`update deliveries set created_at = now() - interval '2 hours' where destination_id = $1`, [
    to.id,
  ]);
  await store.pool.query('update delivery_lanes set failures = 1 where destination_id = $1', [to.id]);
  await pause();
  expect(await lanes.expireWaiting(to.id, HOUR, 100)).toBe(0);
  await unpause();
  expect(await lanes.expireWaiting(to.id, HOUR, 100)).toBe(9);
});

it('gives a lease the pauses before it, which the deadlines of its batch leave out', async () => {
  await store.pool.query(`update deliveries set created_at = now() - interval '10 hours' where destination_id = $1`, [
    to.id,
  ]);
  await store.pool.query(`update delivery_lanes set paused_at = now() - interval '7 hours' where destination_id = $1`, [
    to.id,
  ]);
  await unpause();
  const [delivery] = await batches.load(await leased());
  expect(Math.round((performance.now() - (delivery?.requestedAt ?? 0)) / HOUR)).toBe(3);
});
