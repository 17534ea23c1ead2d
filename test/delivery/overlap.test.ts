import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { settlementOf } from '../../src/delivery/attempts/settlement.js';
import { AheadStore } from '../../src/delivery/lanes/ahead-store.js';
import { BatchStore } from '../../src/delivery/lanes/batch-store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import type { Lease, Settlement } from '../../src/delivery/lanes/lane.js';
import { newId } from '../../src/ids/id.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { createTestStore } from '../support/database.js';
import { describeOnEveryBackend } from '../support/redis.js';
import { testKeyRing } from '../support/secrets.js';
import { insertChange } from './support/lane-model/lane-rows.js';
import { untilOthersEnded } from './support/other-transactions.js';
import { Pipeline, until } from './support/pipeline.js';
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
  let ahead: AheadStore;
  let batches: BatchStore;
  let accountId: string;
  const secrets = new SecretStore(testKeyRing());
  const small = { ...targetLimits, data_stream: { ...targetLimits.data_stream, records: 3 } };
  beforeAll(async () => {
    store = await createTestStore();
    lanes = new LaneStore(store.db, small);
    ahead = new AheadStore(store.db, small);
    batches = new BatchStore(store.db);
    accountId = await seedAccount(store);
  });
  afterAll(() => store.close());

  const granted = async (destinationId: string, batchId: string): Promise<Lease> => {
    const grant = await lanes.lease(destinationId, batchId, newId('att'), MINUTE);
    if (grant.kind !== 'granted') throw new Error(`not granted: ${grant.kind}`);
    return grant.lease;
  };
  const advance = async (current: Lease, delivered: Lease | null): Promise<Lease> => {
    const attempt = delivered && { lease: delivered, settlement: await allDelivered(delivered) };
    const result = await ahead.advance(current, attempt, newId('bat'), MINUTE);
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
    const attempt = { lease: first, settlement: await allDelivered(first) };
    expect(await ahead.advance(second, attempt, newId('bat'), MINUTE)).toEqual({ kind: 'unchanged' });
    expect(await ahead.isHeld(second)).toBe(false);
    expect(await lanes.renew(second, MINUTE)).toBe(false);
    expect(await lanes.settle(second, await allDelivered(second))).toBe('lost');
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
    expect(await ahead.advance(third, { lease: second, settlement: await allDelivered(second) }, null, MINUTE)).toEqual(
      { kind: 'advanced', next: null },
    );
    expect(await revision(id)).toBe(recorded + 1);
  });

  it('records once when its response is lost', async () => {
    const { first, second } = await begun(9);
    const attempt = { lease: first, settlement: await allDelivered(first) };
    expect(await ahead.advance(second, attempt, newId('bat'), MINUTE)).toMatchObject({ kind: 'advanced' });
    expect(await ahead.advance(second, attempt, newId('bat'), MINUTE)).toEqual({ kind: 'unchanged' });
    expect(await ahead.isHeld(second)).toBe(true);
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
    const attempt = { lease: first, settlement: await allDelivered(first) };
    expect(await ahead.advance(second, attempt, newId('bat'), MINUTE)).toEqual({ kind: 'advanced', next: null });
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
    const attempt = { lease: first, settlement: await allDelivered(first) };
    await ahead.advance(second, attempt, null, MINUTE);
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

describeOnEveryBackend('a job that overlaps recording and sending', (backend) => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await Pipeline.open(backend, { SWEEP_INTERVAL_MS: '1000' });
  });
  beforeEach(() => pipeline.sandbox.clear());
  afterAll(() => pipeline.close());

  const expectOnceInOrder = (destination: SeededDestination, ids: readonly string[]): void => {
    const received = pipeline.received(destination);
    expect(received.map(({ event_id }) => event_id)).toEqual(ids);
    expect(received.map(({ sequence }) => sequence)).toEqual(ids.map((_, index) => index + 1));
  };
  const deliveredOf = async ({ id }: SeededDestination): Promise<number> =>
    (await deliveriesOf(pipeline.store, id)).filter(({ state }) => state === 'delivered').length;

  it('records a batch during the next call', async () => {
    const destination = await pipeline.destination();
    const ids = await seedEvents(pipeline.store, [destination], 2_200);
    pipeline.sandbox.script({ address: destination.address, kind: 'slow', delayMs: 700, contains: ids[700] ?? '' });
    pipeline.startWorker();
    pipeline.dispatcher.notify([destination.id]);
    await until(async () => {
      const { batch_first_sequence: first, batch_delivery_ids: batch } = await laneOf(pipeline.store, destination.id);
      return first === 501 && batch?.length === 1_000 && (await deliveredOf(destination)) === 500;
    }, 'the first batch is recorded, and the third claimed, while the second is sent');
    await pipeline.settled(destination);
    expectOnceInOrder(destination, ids);
    await pipeline.stopWorkers();
  });

  it('repeats nothing when a call in the middle fails, and keeps the order', async () => {
    const destination = await pipeline.destination();
    const ids = await seedEvents(pipeline.store, [destination], 2_700);
    const { address } = destination;
    for (const at of [700, 1_300, 2_600]) {
      pipeline.sandbox.script({ address, kind: 'unavailable', times: 1, contains: ids[at] ?? '' });
    }
    pipeline.startWorker();
    pipeline.dispatcher.notify([destination.id]);
    await pipeline.settled(destination);
    expectOnceInOrder(destination, ids);
    const failed = (await attemptsOf(pipeline.store, destination.id)).filter(({ outcome }) => outcome === 'retrying');
    expect(failed).toHaveLength(3);
    await pipeline.stopWorkers();
  });

  it('records everything that was sent when it is stopped, and gives back the rest', async () => {
    const destination = await pipeline.destination();
    const ids = await seedEvents(pipeline.store, [destination], 6_000);
    pipeline.sandbox.script({ address: destination.address, kind: 'slow', delayMs: 30 });
    pipeline.startWorker();
    pipeline.dispatcher.notify([destination.id]);
    await until(() => pipeline.received(destination).length >= 1_500, 'some batches arrived');
    await pipeline.stopWorkers();
    const sent = pipeline.received(destination).length;
    expect(sent).toBeLessThan(6_000);
    expect(await deliveredOf(destination)).toBe(sent);
    expect((await laneOf(pipeline.store, destination.id)).attempt_token).toBeNull();
    pipeline.startWorker();
    pipeline.dispatcher.notify([destination.id]);
    await pipeline.settled(destination);
    expectOnceInOrder(destination, ids);
    await pipeline.stopWorkers();
  });

  it('sends no second call beyond what is recorded, and repeats only that when its lease is lost', async () => {
    const destination = await pipeline.destination();
    const ids = await seedEvents(pipeline.store, [destination], 2_200);
    const holder = new Client({ connectionString: pipeline.store.connectionString });
    await holder.connect();
    // A row of the first batch: the record waits for it while it holds the lane's row. A locked table would stop it
    // before that, where its plan is made.
    await holder.query('begin');
    await holder.query('select from deliveries where destination_id = $1 and event_id = $2 for update', [
      destination.id,
      ids[0],
    ]);
    const { rows: backends } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
    const waitingFor = async (pid: number | undefined): Promise<number | undefined> => {
      const { rows } = await pipeline.store.pool.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and $1 = any(pg_blocking_pids(pid))`,
        [pid],
      );
      return rows[0]?.pid;
    };
    pipeline.startWorker();
    pipeline.dispatcher.notify([destination.id]);
    let recording = 0;
    await until(async () => {
      recording = (await waitingFor(backends[0]?.pid)) ?? 0;
      return recording > 0 && pipeline.received(destination).length >= 1_000;
    }, 'two batches are sent, and the first waits to be recorded');
    // As another worker does when the lease has ended.
    const takeOver = pipeline.store.pool.query(
      `update delivery_lanes set attempt_token = 'att_other', attempt_until = now() where destination_id = $1`,
      [destination.id],
    );
    await until(async () => (await waitingFor(recording)) !== undefined, 'the other worker waits as well');
    expect(pipeline.received(destination)).toHaveLength(1_000);
    // The statement that waits ends without a record, as when its connection is lost.
    await pipeline.store.pool.query('select pg_cancel_backend($1)', [recording]);
    await takeOver;
    await holder.query('rollback');
    await holder.end();
    await pipeline.settled(destination);
    const received = pipeline.received(destination);
    expect(received.map(({ event_id }) => event_id)).toEqual([...ids.slice(0, 1_000), ...ids]);
    expect(received.map(({ sequence }) => sequence)).toEqual(
      [...ids.slice(0, 1_000), ...ids].map((id) => ids.indexOf(id) + 1),
    );
    await pipeline.stopWorkers();
  });
});
