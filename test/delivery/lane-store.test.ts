import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { settlementOf } from '../../src/delivery/attempts/settlement.js';
import { BatchStore } from '../../src/delivery/lanes/batch-store.js';
import { LaneStore, type GroupedClaim } from '../../src/delivery/lanes/lane-store.js';
import type { Lease, Settlement } from '../../src/delivery/lanes/lane.js';
import { newId } from '../../src/ids/id.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
import { healthySettlement } from './support/healthy-settlement.js';
import { deliveriesOf, laneOf, seedAccount, seedDestination, seedEvents } from './support/seed.js';

const MINUTE = 60_000;
const schedule = { baseMs: 1, capMs: 1 };
const policy = { retry: schedule, misconfigured: schedule, deadlineMs: MINUTE };
let store: Store;
let lanes: LaneStore;
let batches: BatchStore;
let accountId: string;
const secrets = new SecretStore(testKeyRing());

beforeAll(async () => {
  store = await createTestStore({ poolSize: 20 });
  lanes = new LaneStore(store.db, targetLimits);
  batches = new BatchStore(store.db, 'log.test');
  accountId = await seedAccount(store);
});
afterAll(() => store.close());

const destination = () => seedDestination(store, secrets, lanes, accountId);

async function leased(destinationId: string, batchId: string): Promise<Lease> {
  const grant = await lanes.lease(destinationId, batchId, newId('att'), MINUTE);
  if (grant.kind !== 'granted') throw new Error(`not granted: ${grant.kind}`);
  return grant.lease;
}

/** Delivers the batch of a lease; with `keep`, only those deliveries that it does not name by position. */
async function settled(lease: Lease, keep: (position: number) => boolean = () => false): Promise<Settlement> {
  const loaded = await batches.load(lease);
  const numbered = loaded.map(({ id, event }) => ({ id, sequence: event.sequence }));
  const undelivered = numbered
    .filter((_, position) => keep(position))
    .map((delivery) => ({ ...delivery, state: 'pending' as const, code: 'http_503', message: 'busy' }));
  const settlement: Settlement = {
    ...healthySettlement,
    delivered: numbered.filter((_, position) => !keep(position)),
    undelivered,
  };
  expect(await lanes.settle(lease, settlement)).toBe('settled');
  return settlement;
}

describe('a claim', () => {
  it('takes pending deliveries in order, numbers them from 1, and makes the lane busy', async () => {
    const { id } = await destination();
    const events = await seedEvents(store, [{ id, accountId, kind: 'data_stream', address: '' }], 3);
    const batch = await lanes.claim(id, 'bat_1');
    expect(batch?.events.map((event) => event.id)).toEqual(events);
    expect(batch?.events.map((event) => event.sequence)).toEqual([1, 2, 3]);
    expect(await lanes.claim(id, 'bat_2')).toBeNull();
  });

  it('takes nothing from an empty lane', async () => {
    const { id } = await destination();
    expect(await lanes.claim(id, 'bat_1')).toBeNull();
    expect(await laneOf(store, id)).toMatchObject({ batch_id: null, revision: 0 });
  });

  it('takes as many events as the target’s limits allow, and one at least', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          records: fc.integer({ min: 1, max: 8 }),
          batchBytes: fc.integer({ min: 400, max: 4_000 }),
          overheadBytes: fc.integer({ min: 0, max: 50 }),
          expansion: fc.double({ min: 1, max: 2, noNaN: true }),
        }),
        fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 12 }),
        async (given, paddings) => {
          const limits = { ...given, recordBytes: given.batchBytes };
          const narrow = new LaneStore(store.db, { ...targetLimits, data_stream: limits });
          const seeded = await destination();
          for (const padding of paddings) await seedEvents(store, [seeded], 1, { padding });
          let expected = 1;
          while (expected <= paddings.length) {
            const batchId = newId('bat');
            const batch = await narrow.claim(seeded.id, batchId);
            const lease = await leased(seeded.id, batchId);
            const loaded = await batches.load(lease);
            expect(loaded.map(({ event }) => event.sequence)).toEqual(batch?.events.map(({ sequence }) => sequence));
            expect(loaded.map(({ event }) => event.id)).toEqual(batch?.events.map(({ id }) => id));
            expect(loaded.length).toBeLessThanOrEqual(limits.records);
            const bytes = loaded.reduce(
              (sum, { event }) =>
                sum + Math.ceil(Buffer.byteLength(event.json) * limits.expansion) + limits.overheadBytes,
              0,
            );
            if (loaded.length > 1) expect(bytes).toBeLessThanOrEqual(limits.batchBytes);
            expect(loaded.map(({ event }) => event.sequence)).toEqual(loaded.map((_, index) => expected + index));
            expected += loaded.length;
            await settled(lease);
          }
          expect(await narrow.claim(seeded.id, 'bat_none')).toBeNull();
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe('a claim that finds the lane locked', () => {
  it('waits for the lock instead of skipping the lane: the lock’s holder may not see the same deliveries', async () => {
    const seeded = await destination();
    const { claim } = await store.db.transaction().execute(async (trx) => {
      await sql`select from delivery_lanes where destination_id = ${seeded.id} for update`.execute(trx);
      await seedEvents(store, [seeded], 1);
      const waiting = lanes.claim(seeded.id, 'bat_1');
      await sleep(100);
      return { claim: waiting };
    });
    expect((await claim)?.events).toHaveLength(1);
  });

  it('is void when the lane was claimed and freed while it waited: it would number delivered events again', async () => {
    const seeded = await destination();
    await seedEvents(store, [seeded], 1);
    const { claim } = await store.db.transaction().execute(async (trx) => {
      const inside = new LaneStore(trx, targetLimits);
      await inside.claim(seeded.id, 'bat_1');
      const waiting = lanes.claim(seeded.id, 'bat_2');
      await sleep(100);
      const grant = await inside.lease(seeded.id, 'bat_1', 'att_1', MINUTE);
      if (grant.kind !== 'granted') throw new Error('not granted');
      const loaded = await new BatchStore(trx, 'log.test').load(grant.lease);
      const delivered = loaded.map(({ id, event }) => ({ id, sequence: event.sequence }));
      await inside.settle(grant.lease, { ...healthySettlement, delivered, undelivered: [] });
      return { claim: waiting };
    });
    expect(await claim).toBeNull();
    expect(await deliveriesOf(store, seeded.id)).toMatchObject([{ state: 'delivered', sequence: 1 }]);
  });
});

describe('a lease', () => {
  it('is held by one attempt at a time, and fences the writes of the attempt before', async () => {
    const seeded = await destination();
    await seedEvents(store, [seeded], 2);
    await lanes.claim(seeded.id, 'bat_f');
    const first = await lanes.lease(seeded.id, 'bat_f', 'att_1', 1);
    if (first.kind !== 'granted') throw new Error('not granted');
    await sleep(20);
    const second = await leased(seeded.id, 'bat_f');
    expect(second.attempt).toBe(2);
    expect(await lanes.lease(seeded.id, 'bat_f', 'att_3', MINUTE)).toMatchObject({ kind: 'later' });
    expect(await lanes.renew(first.lease, MINUTE)).toBe(false);
    const loaded = await batches.load(first.lease);
    const delivered = loaded.map(({ id, event }) => ({ id, sequence: event.sequence }));
    expect(await lanes.settle(first.lease, { ...healthySettlement, delivered, undelivered: [] })).toBe('lost');
    expect((await deliveriesOf(store, seeded.id)).map(({ state }) => state)).toEqual(['pending', 'pending']);
    await settled(second);
    expect((await deliveriesOf(store, seeded.id)).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  });

  it('of a failing lane is replaced by a backoff on request, which no attempt counts', async () => {
    const seeded = await destination();
    await seedEvents(store, [seeded], 1);
    await lanes.claim(seeded.id, 'bat_p');
    const working = await lanes.lease(seeded.id, 'bat_p', 'att_1', 1, MINUTE);
    expect(working).toMatchObject({ kind: 'granted', lease: { attempt: 1 } });
    await sql`update delivery_lanes set failures = 1, attempt_until = now() where destination_id = ${seeded.id}`.execute(
      store.db,
    );
    expect(await lanes.lease(seeded.id, 'bat_p', 'att_2', MINUTE, MINUTE)).toEqual({ kind: 'backed_off' });
    expect(await laneOf(store, seeded.id)).toMatchObject({ batch_id: 'bat_p', attempt_token: null, batch_attempts: 1 });
    expect(await lanes.lease(seeded.id, 'bat_p', 'att_3', MINUTE)).toMatchObject({ kind: 'later' });
    await lanes.resume(seeded.id);
    const granted = await lanes.lease(seeded.id, 'bat_p', 'att_4', MINUTE, MINUTE);
    expect(granted).toMatchObject({ kind: 'granted', lease: { attempt: 2, failures: 0 } });
  });

  it('is refused for another batch, for no batch and for no lane', async () => {
    const seeded = await destination();
    expect(await lanes.lease(seeded.id, 'bat_x', 'att_1', MINUTE)).toEqual({ kind: 'void' });
    await seedEvents(store, [seeded], 1);
    await lanes.claim(seeded.id, 'bat_a');
    expect(await lanes.lease(seeded.id, 'bat_b', 'att_1', MINUTE)).toEqual({ kind: 'void' });
    expect(await lanes.lease('ed_none', 'bat_b', 'att_1', MINUTE)).toEqual({ kind: 'void' });
  });
});

describe('settling', () => {
  it('keeps failed deliveries in the lane, with their numbers, and claims others only after them', async () => {
    const seeded = await destination();
    const events = await seedEvents(store, [seeded], 5);
    await lanes.claim(seeded.id, 'bat_p');
    await settled(await leased(seeded.id, 'bat_p'), (position) => position === 1 || position === 3);
    await seedEvents(store, [seeded], 1);
    expect(await lanes.claim(seeded.id, 'bat_q')).toBeNull();
    const again = await leased(seeded.id, 'bat_p');
    const loaded = await batches.load(again);
    expect(loaded.map(({ event }) => event.id)).toEqual([events[1], events[3]]);
    expect(loaded.map(({ event }) => event.sequence)).toEqual([2, 4]);
    expect(JSON.parse(loaded[0]?.event.json ?? '')).toMatchObject({ event_id: events[1], sequence: 2 });
    await settled(again);
    expect((await lanes.claim(seeded.id, 'bat_r'))?.events).toMatchObject([{ sequence: 6 }]);
  });

  it.each([
    ['takes back the numbers of what was not sent', 1, [1, 2, null], 3],
    ['keeps them when an attempt before was not recorded, for the destination may know them', 2, [1, 2, 3], 4],
  ] as const)('%s', async (_, attempts, sequences, nextSequence) => {
    const seeded = await destination();
    await seedEvents(store, [seeded], 3);
    const batchId = newId('bat');
    await lanes.claim(seeded.id, batchId);
    // What a worker leaves that dies after it has sent everything.
    for (let lost = 1; lost < attempts; lost += 1) {
      await lanes.lease(seeded.id, batchId, newId('att'), 1);
      await sleep(20);
    }
    const lease = await leased(seeded.id, batchId);
    expect(lease.attempt).toBe(attempts);
    const failed = { kind: 'retry', reason: { code: 'http_503', message: 'busy' } } as const;
    const outcomes = [{ kind: 'delivered' }, failed, { kind: 'postponed' }] as const;
    const ended = { outcomes, startedAt: new Date(), durationMs: 1, failuresBefore: 0 };
    const settlement = settlementOf({ ...ended, deliveries: await batches.load(lease) }, policy);
    expect(await lanes.settle(lease, settlement)).toBe('settled');
    expect((await deliveriesOf(store, seeded.id)).map(({ sequence }) => sequence)).toEqual(sequences);
    expect(await laneOf(store, seeded.id)).toMatchObject({ batch_id: batchId, next_sequence: nextSequence });
  });
});

describe('many claimers, inserters and settlers on few lanes', () => {
  it('number every delivery once, without a gap, in batches that do not overlap, and lose no wake-up', async () => {
    const seeded = await Promise.all([destination(), destination(), destination()]);
    const inFlight = new Map<string, string>();
    const work: Promise<void>[] = [];
    // The rule under test: who inserts looks after the commit and claims what is idle, who frees a lane claims again.
    // Nobody else ever looks.
    const claimAndDeliver = async (): Promise<void> => {
      const claims = await lanes.claimGroup(seeded.map(({ id }) => ({ destinationId: id, batchId: newId('bat') })));
      await Promise.all(seeded.map(({ id }, index) => begin(id, claims[index] ?? null)));
    };
    const touch = async (id: string): Promise<void> => {
      await begin(id, await lanes.claim(id, newId('bat')));
    };
    const begin = async (id: string, batch: GroupedClaim): Promise<void> => {
      if (batch === 'left') await touch(id);
      if (batch === 'left' || batch === null) return;
      const { batchId } = batch;
      expect(inFlight.get(id)).toBeUndefined();
      inFlight.set(id, batchId);
      if (batch.events.length > 1) await settled(await leased(id, batchId), (position) => position % 2 === 1);
      const rest = await leased(id, batchId);
      // The lane may be claimed by others from the moment that settling commits.
      inFlight.delete(id);
      await settled(rest);
      await touch(id);
    };
    const inserter = async (): Promise<void> => {
      for (let round = 0; round < 40; round += 1) {
        await seedEvents(store, seeded, 1 + (round % 3));
        await claimAndDeliver();
      }
    };
    for (let index = 0; index < 8; index += 1) work.push(inserter());
    for (let index = 0; index < 4; index += 1) {
      work.push(
        (async () => {
          for (let round = 0; round < 150; round += 1) await touch(seeded[round % 3]?.id ?? '');
        })(),
      );
    }
    await Promise.all(work);
    for (const { id } of seeded) {
      const deliveries = await deliveriesOf(store, id);
      expect(deliveries.length).toBe(8 * 40 * 2 - 8);
      expect(deliveries.every(({ state }) => state === 'delivered')).toBe(true);
      const numbers = deliveries.map(({ sequence }) => sequence ?? 0).toSorted((a, b) => a - b);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      expect((await laneOf(store, id)).next_sequence).toBe(numbers.length + 1);
    }
  });
});
