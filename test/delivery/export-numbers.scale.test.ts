import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { settlementOf } from '../../src/delivery/attempts/settlement.js';
import { BatchStore } from '../../src/delivery/lanes/batch-store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import type { Lease } from '../../src/delivery/lanes/lane.js';
import { DeliveryViewStore } from '../../src/destinations/deliveries/view/delivery-view-store.js';
import { newId } from '../../src/ids/id.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import type { Outcome } from '../../src/targets/target.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
import { seedAccount, seedDestination, seedEvents } from './support/seed.js';

const MINUTE = 60_000;
const schedule = { baseMs: 1, capMs: 1 };
const policy = { retry: schedule, misconfigured: schedule, deadlineMs: MINUTE };

let store: Store;
let lanes: LaneStore;
let batches: BatchStore;
let views: DeliveryViewStore;
let accountId: string;
beforeAll(async () => {
  store = await createTestStore();
  lanes = new LaneStore(store.db, targetLimits);
  batches = new BatchStore(store.db, 'log.test');
  views = new DeliveryViewStore(store.db);
  accountId = await seedAccount(store);
});
afterAll(() => store.close());

/** Claims and leases the next batch of a lane. */
async function begun(destinationId: string): Promise<Lease> {
  const batchId = newId('bat');
  if ((await lanes.claim(destinationId, batchId)) === null) throw new Error('nothing was claimed');
  return leased(destinationId, batchId);
}

async function leased(destinationId: string, batchId: string): Promise<Lease> {
  const grant = await lanes.lease(destinationId, batchId, newId('att'), MINUTE);
  if (grant.kind !== 'granted') throw new Error(`not granted: ${grant.kind}`);
  return grant.lease;
}

/** Records an attempt in which every delivery has this outcome. */
async function ended(lease: Lease, outcome: Outcome): Promise<void> {
  const deliveries = await batches.load(lease);
  const outcomes = deliveries.map(() => outcome);
  const result = { deliveries, outcomes, startedAt: new Date(), durationMs: 1, failuresBefore: 0 };
  await lanes.settle(lease, settlementOf(result, policy));
}

it('of a delivery in its first attempt is not exported: the attempt may give it to another event', async () => {
  const destination = await seedDestination(store, new SecretStore(testKeyRing()), lanes, accountId);
  const [late = '', early = ''] = await seedEvents(store, [destination], 2);
  // The delivery with the lower id is committed later.
  await store.pool.query('create table uncommitted as select * from deliveries where false');
  const { rowCount: hidden } = await store.pool.query(
    `with hidden as (delete from deliveries where destination_id = $1 and event_id = $2 returning *)
     insert into uncommitted select * from hidden`,
    [destination.id, late],
  );
  expect(hidden).toBe(1);
  const exported = async (): Promise<readonly (number | null | undefined)[]> => {
    const states = await views.statesOf(accountId, destination.id, [late, early]);
    return [late, early].map((id) => states.get(id)?.[0]?.sequence);
  };
  const shown = async () => (await views.find(accountId, destination.id, early))?.sequence;

  const first = await begun(destination.id);
  expect(await shown()).toBe(1);
  expect(await exported()).toEqual([undefined, null]);
  await store.pool.query('insert into deliveries overriding system value select * from uncommitted');
  await ended(first, { kind: 'postponed' });
  const second = await begun(destination.id);
  // Number 1 belongs to the other event now.
  expect(await shown()).toBe(2);
  expect(await exported()).toEqual([null, null]);

  // Its worker dies. The next attempt may repeat calls, so it keeps the numbers.
  await store.pool.query(`update delivery_lanes set attempt_until = now() where destination_id = $1`, [destination.id]);
  const repeated = await leased(destination.id, second.batchId);
  expect(await exported()).toEqual([1, 2]);
  await ended(repeated, { kind: 'postponed' });
  expect(await exported()).toEqual([1, 2]);
  await store.pool.query('update delivery_lanes set resume_at = null where destination_id = $1', [destination.id]);
  await ended(await leased(destination.id, second.batchId), { kind: 'delivered' });
  expect(await exported()).toEqual([1, 2]);
});
