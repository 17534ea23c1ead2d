import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { BatchStore } from '../../src/delivery/lanes/batch-store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import { RedeliveryStore } from '../../src/delivery/redelivery/redelivery-store.js';
import { saltedCommitmentOf } from '../../src/events/envelope/salted-commitment.js';
import { EventStore } from '../../src/events/fan-out/event-store.js';
import { newId } from '../../src/ids/id.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { createTestStore } from '../support/database.js';
import { anySearchKeys } from '../support/search-keys.js';
import { testKeyRing } from '../support/secrets.js';
import { deliveriesOf, seedAccount, seedDestination, seedEvents, type SeededDestination } from './support/seed.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let store: Store;
let lanes: LaneStore;
let accountId: string;

beforeAll(async () => {
  store = await createTestStore();
  lanes = new LaneStore(store.db, targetLimits);
  accountId = await seedAccount(store);
});
afterAll(() => store.close());
afterEach(() => vi.useRealTimers());

const destination = () => seedDestination(store, new SecretStore(testKeyRing()), lanes, accountId);

/** Makes the lane fail, and expires what is older than an hour, as often as anything expires. */
async function expire({ id }: SeededDestination): Promise<number> {
  await store.pool.query(`update delivery_lanes set failures = 1, status = 'retrying' where destination_id = $1`, [id]);
  let total = 0;
  for (;;) {
    const count = await lanes.expireWaiting(id, HOUR, 100);
    if (count === 0) return total;
    total += count;
  }
}

describe('expiry of waiting deliveries', () => {
  it('takes no delivery before an earlier one without a number, whatever the clocks of api processes said', async () => {
    const to = await destination();
    // One resource changed through three processes; the clock of the second one was ahead.
    const ages = [2 * HOUR, 0, 2 * HOUR, 3 * HOUR];
    for (const ageMs of ages) await seedEvents(store, [to], 1, { ageMs });
    expect(await expire(to)).toBe(1);
    expect((await deliveriesOf(store, to.id)).map(({ state }) => state)).toEqual([
      'expired',
      'pending',
      'pending',
      'pending',
    ]);
    const batch = await lanes.claim(to.id, newId('bat'));
    expect(batch?.events.map(({ sequence }) => sequence)).toEqual([2, 3, 4]);
  });

  it('takes an overdue delivery that has a number, wherever it stands', async () => {
    const to = await destination();
    await seedEvents(store, [to], 1);
    await seedEvents(store, [to], 1, { ageMs: 2 * HOUR });
    await store.pool.query(
      `update deliveries set sequence = 1 where destination_id = $1 and created_at < now() - interval '1 hour'`,
      [to.id],
    );
    await store.pool.query('update delivery_lanes set next_sequence = 2 where destination_id = $1', [to.id]);
    expect(await expire(to)).toBe(1);
    expect(await deliveriesOf(store, to.id)).toMatchObject([
      { state: 'pending', sequence: null },
      { state: 'expired', sequence: 1 },
    ]);
  });
});

describe('the deadline counts by the database’s clock', () => {
  /** The time of this process is a day ahead of that of the database. */
  function setClockAhead(): void {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY });
  }

  async function ageOf(eventId: string): Promise<number> {
    const { rows } = await store.pool.query<{ ms: number }>(
      `select (1000 * extract(epoch from now() - created_at))::float8 as ms from deliveries where event_id = $1`,
      [eventId],
    );
    return rows[0]?.ms ?? Number.NaN;
  }

  it('from when a process recorded the event, whatever its own clock said', async () => {
    const to = await destination();
    const subscription = await seedDestination(store, new SecretStore(testKeyRing()), lanes, accountId);
    await store.pool.query('insert into event_routes values ($1, $2, $3, $4)', [
      accountId,
      'ip_policy_created.v0',
      to.id,
      subscription.id,
    ]);
    setClockAhead();
    const about = { type: 'ip_policy_created.v0', resourceId: 'ipp_1', payload: '{}', search: anySearchKeys };
    const event = { accountId, ...about, saltedCommitment: saltedCommitmentOf('{}'), traceParent: null };
    const change = { kind: 'ip_policy', isNew: true };
    const events = new EventStore(store.db);
    const [changed, tested] = [newId('evt'), newId('evt')];
    await events.insertWithDeliveries({ ...event, ...change, id: changed, createdAt: new Date() });
    await events.insertAddressed([{ ...event, id: tested, createdAt: new Date(), destinationId: to.id }]);
    for (const id of [changed, tested]) {
      expect(await ageOf(id)).toBeGreaterThanOrEqual(0);
      expect(await ageOf(id)).toBeLessThan(HOUR);
    }
  });

  it('when a batch is loaded or prefetched', async () => {
    const to = await destination();
    await seedEvents(store, [to], 2, { ageMs: 5 * HOUR });
    const batch = await lanes.claim(to.id, newId('bat'));
    const grant = await lanes.lease(to.id, batch?.batchId ?? '', newId('att'), HOUR);
    if (grant.kind !== 'granted') throw new Error(`not granted: ${grant.kind}`);
    setClockAhead();
    const batches = new BatchStore(store.db, 'log.test');
    const [loaded] = await batches.load(grant.lease);
    const prefetched = await batches.prefetch(to.id, 0, 10, 1e6);
    const [alsoLoaded] = await batches.load(grant.lease, prefetched);
    for (const delivery of [loaded, alsoLoaded]) {
      const ageMs = performance.now() - (delivery?.requestedAt ?? Number.NaN);
      expect(Math.round(ageMs / HOUR)).toBe(5);
    }
  });

  it('and a range without an end of its own ends at the database’s time', async () => {
    setClockAhead();
    const now = await new RedeliveryStore(store.db).now();
    expect(Date.now() - now.getTime()).toBeGreaterThan(DAY - HOUR);
  });
});
