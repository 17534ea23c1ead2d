import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { settlementOf } from '../../src/delivery/attempts/settlement.js';
import { BatchStore, type BatchDelivery } from '../../src/delivery/lanes/batch-store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import type { AdvanceResult, Lease, Settlement } from '../../src/delivery/lanes/lane.js';
import { RedeliveryStore } from '../../src/delivery/redelivery/redelivery-store.js';
import { newId } from '../../src/ids/id.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
import { deliveriesOf, laneOf, seedAccount, seedDestination, seedEvents } from './support/seed.js';

const MINUTE = 60_000;
const schedule = { baseMs: 1, capMs: 1 };
const policy = { retry: schedule, misconfigured: schedule, deadlineMs: MINUTE };

describe('an advance without a batch that is sent', () => {
  let store: Store;
  let lanes: LaneStore;
  let batches: BatchStore;
  let accountId: string;
  const secrets = new SecretStore(testKeyRing());
  const small = { ...targetLimits, data_stream: { ...targetLimits.data_stream, records: 3 } };
  beforeAll(async () => {
    store = await createTestStore({ poolSize: 20 });
    lanes = new LaneStore(store.db, small);
    batches = new BatchStore(store.db, 'log.test');
    accountId = await seedAccount(store);
  });
  afterAll(() => store.close());

  const destination = () => seedDestination(store, secrets, lanes, accountId);
  const begin = async (destinationId: string): Promise<Lease> => {
    const batchId = newId('bat');
    await lanes.claim(destinationId, batchId);
    const grant = await lanes.lease(destinationId, batchId, newId('att'), MINUTE);
    if (grant.kind !== 'granted') throw new Error(`not granted: ${grant.kind}`);
    return grant.lease;
  };
  /** The settlement of an attempt that delivered all of the batch. */
  const allDelivered = async (lease: Lease): Promise<Settlement> => {
    const deliveries = await batches.load(lease);
    const outcomes = deliveries.map(() => ({ kind: 'delivered' }) as const);
    return settlementOf({ deliveries, outcomes, startedAt: new Date(), durationMs: 1, failuresBefore: 0 }, policy);
  };
  const advance = async (lease: Lease, settlement?: Settlement): Promise<AdvanceResult> => {
    const recorded = { lease, settlement: settlement ?? (await allDelivered(lease)) };
    return lanes.advance({ recorded, current: null, next: { batchId: newId('bat'), token: newId('att') } }, MINUTE);
  };
  /** The lease on the next batch. */
  const leaseBehind = async (lease: Lease, settlement?: Settlement): Promise<Lease> => {
    const result = await advance(lease, settlement);
    if (result.kind !== 'advanced' || !result.next) throw new Error('nothing was claimed');
    return result.next;
  };

  it('records the batch and claims the next one with its lease in one step', async () => {
    const seeded = await destination();
    const events = await seedEvents(store, [seeded], 5);
    const first = await begin(seeded.id);
    const next = await leaseBehind(first);
    expect(await lanes.claim(seeded.id, 'bat_other')).toBeNull();
    expect(await lanes.lease(seeded.id, next.batchId, 'att_other', MINUTE)).toMatchObject({ kind: 'later' });
    expect(next).toMatchObject({ attempt: 1, firstSequence: 4, failures: 0 });
    const loaded = await batches.load(next);
    expect(loaded.map(({ event }) => [event.id, event.sequence])).toEqual([
      [events[3], 4],
      [events[4], 5],
    ]);
    expect(await deliveriesOf(store, seeded.id)).toMatchObject([
      ...[1, 2, 3].map((sequence) => ({ state: 'delivered', sequence, attempts: 1 })),
      { state: 'pending', sequence: null },
      { state: 'pending', sequence: null },
    ]);
  });

  it('gives the next lease the timestamp of the last record, and keeps it in the lane', async () => {
    const seeded = await destination();
    await seedEvents(store, [seeded], 7);
    let lease = await begin(seeded.id);
    expect(lease.latestTimestampMs).toBe(0);
    // Null where no record got a timestamp.
    for (const [latestTimestampMs, expected] of [
      [1_700, 1_700],
      [null, 1_700],
    ] as const) {
      lease = await leaseBehind(lease, { ...(await allDelivered(lease)), latestTimestampMs });
      expect(lease.latestTimestampMs).toBe(expected);
      expect(await laneOf(store, seeded.id)).toMatchObject({ latest_timestamp_ms: expected });
    }
    await lanes.settle(lease, { ...(await allDelivered(lease)), latestTimestampMs: 1_900 });
    await seedEvents(store, [seeded], 1);
    expect((await begin(seeded.id)).latestTimestampMs).toBe(1_900);
  });

  it('frees the lane when no delivery waits, so that a later insert can claim it', async () => {
    const seeded = await destination();
    await seedEvents(store, [seeded], 2);
    expect(await advance(await begin(seeded.id))).toEqual({ kind: 'advanced', next: null });
    expect(await laneOf(store, seeded.id)).toMatchObject({
      batch_id: null,
      batch_delivery_ids: null,
      attempt_token: null,
      attempt_until: null,
      claimed_at: null,
      next_sequence: 3,
    });
    await seedEvents(store, [seeded], 1);
    expect((await lanes.claim(seeded.id, 'bat_next'))?.events).toMatchObject([{ sequence: 3 }]);
  });

  it('writes nothing when the lease was lost', async () => {
    const seeded = await destination();
    await seedEvents(store, [seeded], 4);
    const lease = await begin(seeded.id);
    const stale = { ...lease, token: 'att_stale' };
    expect(await advance(stale)).toEqual({ kind: 'unchanged' });
    expect((await deliveriesOf(store, seeded.id)).map(({ state }) => state)).toEqual(Array<string>(4).fill('pending'));
    expect(await laneOf(store, seeded.id)).toMatchObject({
      batch_id: lease.batchId,
      attempt_token: lease.token,
      next_sequence: 4,
    });
  });

  it('claims redeliveries before waiting deliveries, with their original numbers', async () => {
    const seeded = await destination();
    const events = await seedEvents(store, [seeded], 3);
    await advance(await begin(seeded.id));
    const later = await seedEvents(store, [seeded], 5);
    const lease = await begin(seeded.id);
    const redeliveries = new RedeliveryStore(store.db);
    const ids = await redeliveries.find(accountId, seeded.id, [events[1] ?? '']);
    expect(await redeliveries.redeliver(seeded.id, [...ids.values()])).toBe(1);
    const loaded = await batches.load(await leaseBehind(lease));
    expect(loaded.map(({ event }) => [event.id, event.sequence])).toEqual([
      [events[1], 2],
      [later[3], 7],
      [later[4], 8],
    ]);
  });

  it('returns the current version of the destination', async () => {
    const seeded = await destination();
    await seedEvents(store, [seeded], 4);
    const lease = await begin(seeded.id);
    await store.db
      .updateTable('resources')
      .set({ version: lease.version + 1 })
      .where('id', '=', seeded.id)
      .execute();
    expect(await leaseBehind(lease)).toMatchObject({ version: lease.version + 1 });
  });

  it('loads the same batch from prefetched and read deliveries, numbered in order', async () => {
    const seeded = await destination();
    const events = await seedEvents(store, [seeded], 6);
    const first = await begin(seeded.id);
    const last = (await batches.load(first)).at(-1)?.id ?? 0;
    const ahead = await batches.prefetch(seeded.id, last, 2, 1_000_000);
    expect(ahead.size).toBe(2);
    const [one] = [...ahead.values()].map(({ payload }) => Buffer.byteLength(payload));
    expect((await batches.prefetch(seeded.id, last, 3, 2.5 * (one ?? 0))).size).toBe(2);
    const next = await leaseBehind(first);
    const loaded = await batches.load(next, ahead);
    // Their age is measured anew with each read.
    const withoutAge = (delivery: BatchDelivery) => ({ ...delivery, requestedAt: 0 });
    expect(loaded.map(withoutAge)).toEqual((await batches.load(next)).map(withoutAge));
    expect(loaded.map(({ event }) => [event.id, event.sequence])).toEqual([
      [events[3], 4],
      [events[4], 5],
      [events[5], 6],
    ]);
  });

  it('numbers without a gap and loses no wake-up during concurrent inserts, claims and redeliveries', async () => {
    const seeded = await destination();
    const redeliveries = new RedeliveryStore(store.db);
    const inFlight = new Set<string>();
    /** As a job does: claims batches until the lane is free, then claims once more. */
    const deliverAll = async (): Promise<void> => {
      const batchId = newId('bat');
      if (!(await lanes.claim(seeded.id, batchId))) return;
      const grant = await lanes.lease(seeded.id, batchId, newId('att'), MINUTE);
      if (grant.kind !== 'granted') throw new Error(grant.kind);
      for (let lease: Lease | null = grant.lease; lease;) {
        expect([...inFlight]).toEqual([]);
        inFlight.add(lease.batchId);
        const settlement = await allDelivered(lease);
        inFlight.delete(lease.batchId);
        const result = await advance(lease, settlement);
        if (result.kind === 'unchanged') throw new Error('the lease was lost');
        lease = result.next;
      }
      await deliverAll();
    };
    const inserter = async (): Promise<void> => {
      for (let round = 0; round < 25; round += 1) {
        const events = await seedEvents(store, [seeded], 1 + (round % 7));
        await deliverAll();
        if (round % 5 === 0) {
          const ids = await redeliveries.find(accountId, seeded.id, events);
          await redeliveries.redeliver(seeded.id, [...ids.values()]);
          await deliverAll();
        }
      }
    };
    await Promise.all(Array.from({ length: 6 }, inserter));
    const deliveries = await deliveriesOf(store, seeded.id);
    expect(deliveries.every(({ state }) => state === 'delivered')).toBe(true);
    const numbers = deliveries.map(({ sequence }) => sequence ?? 0).toSorted((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect((await laneOf(store, seeded.id)).next_sequence).toBe(numbers.length + 1);
  });
});
