import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { settlementOf } from '../../src/delivery/attempts/settlement.js';
import { BatchStore } from '../../src/delivery/lanes/batch-store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import type { AdvanceResult, Lease, Settlement } from '../../src/delivery/lanes/lane.js';
import { newId } from '../../src/ids/id.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
import { insertChange } from './support/lane-model/lane-rows.js';
import { untilOthersEnded } from './support/other-transactions.js';
import {
  attemptsOf,
  deliveriesOf,
  laneOf,
  seedAccount,
  seedDestination,
  seedEvents,
  type SeededDestination,
} from './support/seed.js';

const MINUTE = 60_000;
const schedule = { baseMs: 1, capMs: 1 };
const policy = { retry: schedule, misconfigured: schedule, deadlineMs: MINUTE };

describe('advance', () => {
  let store: Store;
  let lanes: LaneStore;
  let batches: BatchStore;
  let accountId: string;
  const secrets = new SecretStore(testKeyRing());
  const small = { ...targetLimits, data_stream: { ...targetLimits.data_stream, records: 3 } };
  beforeAll(async () => {
    store = await createTestStore();
    lanes = new LaneStore(store.db, small);
    batches = new BatchStore(store.db, 'log.test');
    accountId = await seedAccount(store);
  });
  afterAll(() => store.close());

  const granted = async (destinationId: string, batchId: string): Promise<Lease> => {
    const grant = await lanes.lease(destinationId, batchId, newId('att'), MINUTE);
    if (grant.kind !== 'granted') throw new Error(`not granted: ${grant.kind}`);
    return grant.lease;
  };
  const advanced = async (current: Lease, delivered: Lease | null, claims = true): Promise<AdvanceResult> => {
    const recorded = delivered && { lease: delivered, settlement: await allDelivered(delivered) };
    const next = claims ? { batchId: newId('bat'), token: current.token } : null;
    return lanes.advance({ recorded, current, next }, MINUTE);
  };
  const advance = async (current: Lease, delivered: Lease | null): Promise<Lease> => {
    const result = await advanced(current, delivered);
    if (result.kind !== 'advanced' || !result.next) throw new Error('nothing was claimed');
    return result.next;
  };
  const allDelivered = async (lease: Lease): Promise<Settlement> => {
    const deliveries = await batches.load(lease);
    const outcomes = deliveries.map(() => ({ kind: 'delivered' }) as const);
    return settlementOf({ deliveries, outcomes, startedAt: new Date(), durationMs: 1, failuresBefore: 0 }, policy);
  };
  const numbersIn = async (lease: Lease) => (await batches.load(lease)).map(({ event }) => event.sequence);
  /** A lane with `waiting` events, whose first batch is leased, and the next one claimed behind it. */
  const begun = async (waiting: number, before?: (seeded: SeededDestination) => Promise<void>) => {
    const seeded = await seedDestination(store, secrets, lanes, accountId);
    await before?.(seeded);
    const events = await seedEvents(store, [seeded], waiting);
    const batchId = newId('bat');
    await lanes.claim(seeded.id, batchId);
    const first = await granted(seeded.id, batchId);
    return { id: seeded.id, events, first, second: await advance(first, null) };
  };
  /** Waits until every transaction has ended that ran when the lane's next floor was proposed, also of other tests. */
  const becomesRipe = (id: string): Promise<void> =>
    untilOthersEnded(
      store,
      'select next_floor_xid < pg_snapshot_xmin(pg_current_snapshot()) from delivery_lanes where destination_id = $1',
      [id],
    );
  /** Ends the lease of a lane, as time does, and leases its batch again. */
  const takeOver = async (id: string): Promise<Lease> => {
    const { batch_id: batchId } = await laneOf(store, id);
    await store.pool.query(`update delivery_lanes set attempt_until = now() where destination_id = $1`, [id]);
    return granted(id, batchId ?? '');
  };

  it('claims behind the batch that is sent, and records the batch before it', async () => {
    const { id, first, second } = await begun(9);
    expect(await numbersIn(second)).toEqual([4, 5, 6]);
    expect(await laneOf(store, id)).toMatchObject({ batch_id: first.batchId, batch_attempts: 1, next_sequence: 7 });
    const third = await advance(second, first);
    expect(await numbersIn(third)).toEqual([7, 8, 9]);
    expect(await laneOf(store, id)).toMatchObject({
      batch_id: second.batchId,
      attempt_token: first.token,
      batch_first_sequence: 4,
      next_sequence: 10,
    });
    const rows = await deliveriesOf(store, id);
    expect(rows.map(({ state, sequence }) => [state, sequence])).toEqual([
      ...[1, 2, 3].map((sequence) => ['delivered', sequence]),
      ...Array.from({ length: 6 }, () => ['pending', null]),
    ]);
    expect(await attemptsOf(store, id)).toMatchObject([{ batch_id: first.batchId, number: 1, delivered: 3 }]);
  });

  it('leaves after a crash what is not recorded, with its numbers', async () => {
    const { id, first, second } = await begun(9);
    // The second batch was sent and the first is not recorded.
    const all = await takeOver(id);
    expect(await numbersIn(all)).toEqual([1, 2, 3, 4, 5, 6]);
    expect((await batches.load(all)).every(({ numbered }) => numbered)).toBe(true);
    expect(await advanced(second, first)).toEqual({ kind: 'unchanged' });
    expect(await lanes.isHeld(second)).toBe(false);
    expect(await lanes.renew(second, MINUTE)).toBe(false);
    expect(await lanes.settle(second, await allDelivered(second))).toBe('lost');
    expect((await deliveriesOf(store, id)).every(({ state }) => state === 'pending')).toBe(true);
  });

  it('records nothing on a promoted standby that lacks the claim of the batch that is sent', async () => {
    const { id, first, second } = await begun(6);
    await store.pool.query(
      'update delivery_lanes set batch_delivery_ids = $2::bigint[], next_sequence = 4 where destination_id = $1',
      [id, first.deliveryIds],
    );
    const before = await laneOf(store, id);
    expect(await advanced(second, first)).toEqual({ kind: 'unchanged' });
    expect(await lanes.isHeld(second)).toBe(false);
    expect(await laneOf(store, id)).toEqual(before);
    expect((await deliveriesOf(store, id)).every(({ state }) => state === 'pending')).toBe(true);
  });

  it('leaves after a crash only what follows a recorded batch', async () => {
    const { id, first, second } = await begun(9);
    await advance(second, first);
    expect(await numbersIn(await takeOver(id))).toEqual([4, 5, 6, 7, 8, 9]);
  });

  it('keeps the numbers of a batch after a crash, whichever batch the crash left', async () => {
    for (const records of [false, true]) {
      const { id, first, second } = await begun(9);
      if (records) await advance(second, first);
      const all = await takeOver(id);
      expect(all.attempt).toBe(2);
      const before = await laneOf(store, id);
      const deliveries = await batches.load(all);
      const outcomes = deliveries.map(() => ({ kind: 'postponed' }) as const);
      const attempt = { deliveries, outcomes, startedAt: new Date(), durationMs: 1, failuresBefore: 0 };
      expect(await lanes.settle(all, settlementOf(attempt, policy))).toBe('settled');
      expect((await laneOf(store, id)).next_sequence).toBe(before.next_sequence);
      const numbers = (await deliveriesOf(store, id)).map(({ sequence }) => sequence);
      expect(numbers).toEqual([1, 2, 3, 4, 5, 6, ...(records ? [7, 8, 9] : [null, null, null])]);
    }
  });

  it('raises the revision of the lane, as each write of a batch does', async () => {
    const revision = async (id: string) => (await laneOf(store, id)).revision;
    const { id, first, second } = await begun(9);
    const claimed = await revision(id);
    const third = await advance(second, first);
    const recorded = await revision(id);
    expect(recorded).toBe(claimed + 1);
    expect(await advanced(third, second, false)).toEqual({ kind: 'advanced', next: null });
    expect(await revision(id)).toBe(recorded + 1);
  });

  it('records once when its response is lost', async () => {
    const { first, second } = await begun(9);
    const recorded = { lease: first, settlement: await allDelivered(first) };
    const step = { recorded, current: second, next: { batchId: newId('bat'), token: second.token } };
    expect(await lanes.advance(step, MINUTE)).toMatchObject({ kind: 'advanced' });
    expect(await lanes.advance(step, MINUTE)).toEqual({ kind: 'unchanged' });
    expect(await lanes.isHeld(second)).toBe(true);
    expect(await lanes.renew(second, MINUTE)).toBe(true);
  });

  it('gives back what was claimed behind a batch, so that a late commit gets its number', async () => {
    const trx = await store.db.startTransaction().execute();
    let late = '';
    const { id, first, second } = await begun(9, async (seeded) => {
      late = await insertChange(trx, [seeded], 'res_late');
    });
    await trx.commit().execute();
    await lanes.settle({ ...first, behindFrom: second.firstSequence }, await allDelivered(first));
    expect((await lanes.claim(id, newId('bat')))?.events.map((event) => [event.id, event.sequence])).toMatchObject([
      [late, 4],
      [expect.any(String), 5],
      [expect.any(String), 6],
    ]);
  });

  it('claims nothing behind a batch while a delivery that was committed late waits before it', async () => {
    const trx = await store.db.startTransaction().execute();
    const { id, first, second } = await begun(12, async (seeded) => {
      await insertChange(trx, [seeded], 'res_late');
    });
    await trx.commit().execute();
    expect(await advanced(second, first)).toEqual({ kind: 'advanced', next: null });
    const lease = await takeOver(id);
    expect((await batches.load(lease)).map((delivery) => delivery.id)).toEqual(
      (await batches.load(second)).map((delivery) => delivery.id),
    );
    expect(await numbersIn(lease)).toEqual([4, 5, 6]);
  });

  it('tells the attempt that is made when the lane was resumed meanwhile', async () => {
    const { id, first, second } = await begun(9);
    await lanes.resume(id);
    const third = await advance(second, first);
    const failed = { ...(await allDelivered(third)), status: 'retrying', delayMs: MINUTE, failures: 1 } as const;
    expect(await lanes.settle({ ...second, behindFrom: 7 }, failed)).toBe('resumed');
  });

  it('moves the floor only when it has read what is pending', async () => {
    const trx = await store.db.startTransaction().execute();
    let late = '';
    const { id, first, second } = await begun(6, async (seeded) => {
      late = await insertChange(trx, [seeded], 'res_late');
    });
    await trx.commit().execute();
    await becomesRipe(id);
    // The last batch claims nothing behind it.
    await advanced(second, first, false);
    await lanes.settle({ ...second, behindFrom: 7 }, await allDelivered(second));
    const claimed = await lanes.claim(id, newId('bat'));
    expect(claimed?.events.map((event) => event.id)).toEqual([late]);
  });

  it('keeps the floor below the batch that is sent', async () => {
    const { id, first, second } = await begun(12);
    await becomesRipe(id);
    const third = await advance(second, first);
    await becomesRipe(id);
    const fourth = await advance(third, second);
    const [lowest] = (await batches.load(third)).map((delivery) => delivery.id);
    const { rows } = await store.pool.query(`select floor_id::int from delivery_lanes where destination_id = $1`, [id]);
    expect(await numbersIn(fourth)).toEqual([10, 11, 12]);
    expect(rows[0]?.floor_id).toBeGreaterThan(0);
    expect(rows[0]?.floor_id).toBeLessThan(lowest ?? 0);
  });
});
