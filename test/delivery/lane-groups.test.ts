import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { SMALL_BATCH } from '../../src/delivery/lanes/batch-limits.js';
import { BatchStore } from '../../src/delivery/lanes/batch-store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import type { Lease, Settlement } from '../../src/delivery/lanes/lane.js';
import type { LoadedLease } from '../../src/delivery/lanes/lease.js';
import { newId } from '../../src/ids/id.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { until } from '../../tools/harness/until.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
import { healthySettlement } from './support/healthy-settlement.js';
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
type GrantedBatch = Extract<LoadedLease, { kind: 'granted' }>;

let store: Store;
let lanes: LaneStore;
let batches: BatchStore;
let accountId: string;

beforeAll(async () => {
  store = await createTestStore({ poolSize: 20 });
  lanes = new LaneStore(store.db, targetLimits);
  batches = new BatchStore(store.db, 'log.test');
  accountId = await seedAccount(store);
});
afterAll(() => store.close());

/** Creates destinations, each with so many events. */
async function seeded(count: number, events = 1): Promise<readonly SeededDestination[]> {
  const secrets = new SecretStore(testKeyRing());
  const all: SeededDestination[] = [];
  for (let index = 0; index < count; index += 1) all.push(await seedDestination(store, secrets, lanes, accountId));
  if (events > 0) await seedEvents(store, all, events);
  return all;
}

/** Claims a batch in each lane. Returns a request for the lease of each. */
async function claimed(all: readonly SeededDestination[]) {
  const requests = all.map(({ id }) => ({
    destinationId: id,
    batchId: newId('bat'),
    token: newId('att'),
    failingWaitMs: null,
  }));
  for (const { destinationId, batchId } of requests) expect(await lanes.claim(destinationId, batchId)).not.toBeNull();
  return requests;
}

function granted(lease: LoadedLease | null | undefined): GrantedBatch {
  if (lease?.kind !== 'granted') throw new Error('a lease was not granted');
  return lease;
}

async function leased(all: readonly SeededDestination[]): Promise<readonly GrantedBatch[]> {
  return (await lanes.leaseGroup(await claimed(all), MINUTE)).map(granted);
}

async function delivered({ lease, deliveries }: GrantedBatch): Promise<Settlement> {
  const loaded = await batches.load(lease, deliveries ?? undefined);
  const numbered = loaded.map(({ id, event }) => ({ id, sequence: event.sequence }));
  return { ...healthySettlement, delivered: numbered, undelivered: [] };
}

async function settled(all: readonly GrantedBatch[]): Promise<readonly boolean[]> {
  const results = await lanes.settleGroup(
    await Promise.all(all.map(async (one) => ({ lease: one.lease, settlement: await delivered(one) }))),
  );
  return results.map((result) => result !== null);
}

const statesOf = async ({ id }: SeededDestination) => (await deliveriesOf(store, id)).map(({ state }) => state);

/** Runs `work` while the lane is locked by another transaction. */
async function whileLocked<T>({ id }: SeededDestination, work: () => Promise<T>): Promise<T> {
  return store.db.transaction().execute(async (trx) => {
    await sql`select from delivery_lanes where destination_id = ${id} for update`.execute(trx);
    return work();
  });
}

/** Returns an element that every list of the test has. */
function only<T>(all: readonly T[], index: number): T {
  const one = all[index];
  if (one === undefined) throw new Error(`no element ${index}`);
  return one;
}

/** An advisory lock. */
const STOP = 4_711;

/**
 * Makes the leases of a connection wait for the advisory lock between their snapshot and their locks, in a function
 * that they call there.
 */
async function stoppedBeforeLocks(db: Store['db']): Promise<void> {
  const body = `begin
    perform pg_advisory_lock_shared(${STOP});
    perform pg_advisory_unlock_shared(${STOP});
    return pg_catalog.pg_postmaster_start_time();
  end`;
  await sql`
    create function public.pg_postmaster_start_time() returns timestamptz language plpgsql as ${sql.lit(body)}`.execute(
    db,
  );
  await sql`set search_path = public, pg_catalog`.execute(db);
}

describe('a claim of several lanes', () => {
  it('claims each lane as a claim alone does, numbered and in order', async () => {
    const all = await seeded(3, 4);
    const claims = await lanes.claimGroup(all.map(({ id }) => ({ destinationId: id, batchId: `bat_${id}` })));
    for (const [index, { id }] of all.entries()) {
      const expected = (await deliveriesOf(store, id)).map(({ event_id }, at) => ({ id: event_id, sequence: at + 1 }));
      const found = { destinationId: id, batchId: `bat_${id}`, targetKind: 'data_stream', events: expected };
      expect(claims[index]).toMatchObject(found);
      expect(await laneOf(store, id)).toMatchObject({ batch_id: `bat_${id}`, revision: 1, next_sequence: 5 });
    }
  });

  it('claims nothing in lanes that are busy, in backoff, empty or deleted, and everything in the others', async () => {
    const all = await seeded(4);
    const [busy, waiting, idle] = [only(all, 0), only(all, 1), only(all, 2)];
    const [empty] = await seeded(1, 0);
    await claimed([busy]);
    await sql`update delivery_lanes set resume_at = now() + interval '1 minute' where destination_id = ${waiting.id}`.execute(
      store.db,
    );
    await sql`delete from resources where id = ${only(all, 3).id}`.execute(store.db);
    const ids = [...all.map(({ id }) => id), empty?.id ?? '', 'ed_none'];
    const claims = await lanes.claimGroup(ids.map((destinationId) => ({ destinationId, batchId: newId('bat') })));
    expect(claims.map((claim) => claim !== null)).toEqual([false, false, true, false, false, false]);
    expect((await laneOf(store, idle.id)).batch_id).not.toBeNull();
  });

  it('writes nothing where nothing is pending: neither a lock nor a transaction id', async () => {
    const all = await seeded(3, 0);
    const requests = all.map(({ id }) => ({ destinationId: id, batchId: newId('bat') }));
    const rows = await store.db.transaction().execute(async (trx) => {
      const inside = new LaneStore(trx, targetLimits);
      expect(await inside.claimGroup(requests)).toEqual([null, null, null]);
      expect(await inside.claim(only(all, 0).id, 'bat_none')).toBeNull();
      return (await sql<{ xid: string | null }>`select pg_current_xact_id_if_assigned()::text as xid`.execute(trx))
        .rows;
    });
    expect(rows).toEqual([{ xid: null }]);
  });

  it('leaves a locked lane, and among others one with many deliveries, and waits for neither', async () => {
    const [locked, small] = await seeded(2);
    const [large] = await seeded(1, SMALL_BATCH + 1);
    if (!locked || !small || !large) throw new Error('no destinations');
    const requests = [locked, small, large].map(({ id }) => ({ destinationId: id, batchId: newId('bat') }));
    const claims = await whileLocked(locked, () => lanes.claimGroup(requests));
    expect(claims).toMatchObject(['left', { events: [{ sequence: 1 }] }, 'left']);
    const [alone] = await lanes.claimGroup([{ destinationId: large.id, batchId: newId('bat') }]);
    expect(alone).toMatchObject({ events: { length: SMALL_BATCH + 1 } });
  });

  it('of the same lanes in opposite orders, at once and many times, never deadlocks and claims each lane once', async () => {
    const all = await seeded(10, 0);
    for (let round = 1; round <= 10; round += 1) {
      await seedEvents(store, all, 1);
      const orders = [all, all.toReversed(), all, all.toReversed()];
      const claims = await Promise.all(
        orders.map((order) => lanes.claimGroup(order.map(({ id }) => ({ destinationId: id, batchId: newId('bat') })))),
      );
      const batchesClaimed = claims.flat().filter((claim) => claim !== null && claim !== 'left');
      expect(batchesClaimed.map(({ destinationId }) => destinationId).toSorted()).toEqual(
        all.map(({ id }) => id).toSorted(),
      );
      const requests = batchesClaimed.map(({ destinationId, batchId }) => ({
        destinationId,
        batchId,
        token: newId('att'),
        failingWaitMs: null,
      }));
      const [there, back] = await Promise.all([
        lanes.leaseGroup(requests, MINUTE),
        lanes.leaseGroup(
          requests.toReversed().map((request) => ({ ...request, token: newId('att') })),
          MINUTE,
        ),
      ]);
      const leases = [...there, ...back].filter((one) => one !== null).map(granted);
      expect(leases).toHaveLength(all.length);
      const results = await Promise.all([settled(leases), settled(leases.toReversed())]);
      expect(results.flat().filter(Boolean)).toHaveLength(all.length);
    }
    for (const { id } of all) {
      expect((await deliveriesOf(store, id)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    }
  });

  it('voids the claim of a lane that was redelivered meanwhile: the claim after the redelivery takes both', async () => {
    const [first, other] = await seeded(2);
    if (!first || !other) throw new Error('no destinations');
    const requests = [first, other].map(({ id }) => ({ destinationId: id, batchId: newId('bat') }));
    const claims = await store.db.transaction().execute(async (trx) => {
      await sql`update delivery_lanes set revision = revision + 1 where destination_id = ${first.id}`.execute(trx);
      return lanes.claimGroup(requests);
    });
    expect(claims).toMatchObject(['left', { destinationId: other.id }]);
    expect((await lanes.claim(first.id, newId('bat')))?.events).toHaveLength(1);
  });
});

describe('a lease of several lanes', () => {
  it('grants and reads what a lease and a load do', async () => {
    const all = await seeded(3, 2);
    const requests = await claimed(all);
    const loaded = await lanes.leaseGroup(requests, MINUTE);
    for (const [index, request] of requests.entries()) {
      const { lease, deliveries } = granted(loaded[index]);
      await lanes.giveBack(lease);
      const alone = await lanes.lease(request.destinationId, request.batchId, request.token, MINUTE);
      if (alone.kind !== 'granted') throw new Error('not granted alone');
      expect(lease).toEqual(alone.lease);
      const withoutAge = (delivery: { requestedAt: number }) => ({ ...delivery, requestedAt: 0 });
      const read = (await batches.load(lease, deliveries ?? undefined)).map(withoutAge);
      expect(read).toEqual((await batches.load(alone.lease)).map(withoutAge));
      expect(read).toHaveLength(2);
    }
  });

  it('grants no lease in lanes that are leased, back off, are locked, hold another batch, or are gone', async () => {
    const all = await seeded(6);
    const requests = await claimed(all);
    const set = (index: number, assignment: ReturnType<typeof sql>) =>
      sql`update delivery_lanes set ${assignment} where destination_id = ${only(all, index).id}`.execute(store.db);
    const taken = only(requests, 0);
    const holder = await lanes.lease(taken.destinationId, taken.batchId, newId('att'), MINUTE);
    await set(1, sql`resume_at = now() + interval '1 minute'`);
    await set(2, sql`batch_id = 'bat_other'`);
    await sql`delete from resources where id = ${only(all, 3).id}`.execute(store.db);
    const loaded = await whileLocked(only(all, 4), () => lanes.leaseGroup(requests, MINUTE));
    expect(loaded.map((one) => one !== null)).toEqual([false, false, false, false, false, true]);
    // What the group leaves is as it was.
    expect(await laneOf(store, only(all, 4).id)).toMatchObject({ attempt_token: null, batch_attempts: 0 });
    expect(holder).toMatchObject({ kind: 'granted' });
    const again = await lanes.lease(taken.destinationId, taken.batchId, newId('att'), MINUTE);
    expect(again).toMatchObject({ kind: 'later' });
  });

  it('gives a lane that fails the lease, or the backoff that its request names', async () => {
    const [working, failing, backingOff] = await seeded(3);
    if (!working || !failing || !backingOff) throw new Error('no destinations');
    const requests = await claimed([working, failing, backingOff]);
    const ids = [failing.id, backingOff.id];
    await sql`update delivery_lanes set failures = 1 where destination_id = any(${ids})`.execute(store.db);
    const waits = [MINUTE, null, MINUTE];
    const asked = requests.map((request, index) => ({ ...request, failingWaitMs: waits[index] ?? null }));
    const results = await lanes.leaseGroup(asked, MINUTE);
    expect(results.map((one) => one?.kind)).toEqual(['granted', 'granted', 'backed_off']);
    // The deliveries of a lane that fails may be what cannot be read.
    expect(results.slice(0, 2).map((one) => granted(one).deliveries?.size ?? null)).toEqual([1, null]);
    expect(await laneOf(store, backingOff.id)).toMatchObject({ attempt_token: null, batch_attempts: 0 });
    const again = await lanes.lease(backingOff.id, only(requests, 2).batchId, newId('att'), MINUTE);
    expect(again).toMatchObject({ kind: 'later' });
  });

  it('reads the deliveries of small batches only, which bounds its result', async () => {
    const [small] = await seeded(1, SMALL_BATCH);
    const [large] = await seeded(1, SMALL_BATCH + 1);
    if (!small || !large) throw new Error('no destinations');
    const loaded = (await lanes.leaseGroup(await claimed([small, large]), MINUTE)).map(granted);
    expect(loaded.map(({ deliveries }) => deliveries?.size ?? null)).toEqual([SMALL_BATCH, null]);
  });

  it('reads nothing in a lane that was settled between its snapshot and its lock: it would read old numbers', async () => {
    const [first, other] = await seeded(2, 3);
    if (!first || !other) throw new Error('no destinations');
    const requests = await claimed([first, other]);
    const one = granted((await lanes.leaseGroup([only(requests, 0)], 1))[0]);
    await sleep(20);
    const { delivered: sent } = await delivered(one);
    // The attempt keeps its last delivery. Its number differs from the one that the older snapshot suggests.
    const rest = { ...only(sent, 2), state: 'pending' as const, code: 'http_503', message: 'busy' };
    const settlement = { ...healthySettlement, delivered: sent.slice(0, 2), undelivered: [rest] };
    const [stale, usual] = await store.db.connection().execute(async (slow) => {
      await stoppedBeforeLocks(slow);
      const { leasing } = await store.db.transaction().execute(async (holder) => {
        await sql`select pg_advisory_xact_lock(${STOP})`.execute(holder);
        const waiting = new LaneStore(slow, targetLimits).leaseGroup(requests, MINUTE);
        await until(async () => {
          const { rows } = await sql`select from pg_locks where locktype = 'advisory' and not granted`.execute(
            store.db,
          );
          return rows.length > 0;
        }, 'the lease has read its snapshot');
        expect(await lanes.settle(one.lease, settlement)).toBe('settled');
        return { leasing: waiting };
      });
      const leases = await leasing;
      await sql`reset search_path`.execute(slow);
      return leases;
    });
    const { lease, deliveries } = granted(stale);
    expect(deliveries).toBeNull();
    expect(granted(usual).deliveries?.size).toBe(3);
    const loaded = await batches.load(lease);
    expect(loaded.map(({ event }) => event.sequence)).toEqual([3]);
  });
});

describe('a settlement of several lanes', () => {
  it('records what a settlement alone records', async () => {
    const [grouped, alone] = await seeded(2, 3);
    if (!grouped || !alone) throw new Error('no destinations');
    const [first, second] = await leased([grouped, alone]);
    if (!first || !second) throw new Error('not leased');
    const timestamp = { latestTimestampMs: 1_700_000_000_000 };
    const latencies = [
      [3, 1],
      [12, 2],
    ] as const;
    const settlement = { ...(await delivered(first)), ...timestamp, latencies };
    expect(await lanes.settleGroup([{ lease: first.lease, settlement }])).toEqual(['settled']);
    expect(await lanes.settle(second.lease, { ...(await delivered(second)), ...timestamp, latencies })).toBe('settled');
    const recorded = async ({ id }: SeededDestination) => {
      const {
        destination_id: _,
        floor_id: _1,
        next_floor_id: _2,
        next_floor_xid: _3,
        ...lane
      } = await laneOf(store, id);
      const attempts = await attemptsOf(store, id);
      const rows = await store.db
        .selectFrom('all_deliveries')
        .selectAll()
        .where('destination_id', '=', id)
        .orderBy('id')
        .execute();
      return {
        lane: { ...lane, status_since: null, batch_first_sequence: null },
        attempts: attempts.map(({ id: _4, batch_id: _5, destination_id: _6, recorded_at: _9, ...attempt }) => attempt),
        rows: rows.map(({ id: _7, destination_id: _8, finished_at, batch_id, ...row }) => ({
          ...row,
          finished: finished_at !== null,
          hasBatch: batch_id !== null,
        })),
      };
    };
    const found = await recorded(grouped);
    expect(found).toEqual(await recorded(alone));
    expect(found.attempts).toMatchObject([{ latencies }]);
    expect(found.rows.map(({ state, sequence, attempts }) => [state, sequence, attempts])).toEqual([
      ['delivered', 1, 1],
      ['delivered', 2, 1],
      ['delivered', 3, 1],
    ]);
    expect(found.lane).toMatchObject({ batch_id: null, latest_timestamp_ms: timestamp.latestTimestampMs });
  });

  it('records different outcomes of several lanes, each in its own', async () => {
    const [mixed, kept, usual] = await seeded(3, 4);
    if (!mixed || !kept || !usual) throw new Error('no destinations');
    const loaded = await leased([mixed, kept, usual]);
    const [first, second, third] = loaded;
    if (!first || !second || !third) throw new Error('not leased');
    const sentBy = async (batch: GrantedBatch) => (await delivered(batch)).delivered;
    const failed = { code: 'http_503', message: 'a \0, cut off in the middle of \ud83d' };
    const [one, two, three, four] = await sentBy(first);
    const [, retried, unsent] = await sentBy(second);
    if (!one || !two || !three || !four || !retried || !unsent) throw new Error('no deliveries');
    const error = { ...failed, httpStatus: 503 };
    const settlements: readonly Settlement[] = [
      {
        ...healthySettlement,
        delivered: [one, four],
        undelivered: [
          { ...two, ...failed, state: 'rejected' },
          { ...three, ...failed, state: 'expired' },
        ],
        error,
        outcome: 'rejected',
        rejections: { count: 1, first_sequence: 2, last_sequence: 2, code: 'http_503' },
      },
      {
        ...healthySettlement,
        delivered: (await sentBy(second)).slice(0, 1),
        undelivered: [
          { ...retried, ...failed, state: 'pending' },
          { ...unsent, state: 'pending', code: null, message: null },
        ],
        status: 'retrying',
        failures: 1,
        delayMs: MINUTE,
        nextSequence: 4,
        error,
        outcome: 'retrying',
      },
      await delivered(third),
    ];
    const attempts = settlements.map((settlement, index) => ({ lease: only(loaded, index).lease, settlement }));
    expect(await lanes.settleGroup(attempts)).toEqual(['settled', 'settled', 'settled']);

    expect(await statesOf(mixed)).toEqual(['delivered', 'rejected', 'expired', 'delivered']);
    expect(await statesOf(kept)).toEqual(['delivered', 'pending', 'pending', 'pending']);
    expect(await statesOf(usual)).toEqual(['delivered', 'delivered', 'delivered', 'delivered']);
    const numbers = (await deliveriesOf(store, kept.id)).map(({ sequence, attempts: tries }) => [sequence, tries]);
    expect(numbers).toEqual([
      [1, 1],
      [2, 1],
      [3, 0],
      [null, 0],
    ]);
    const messages = await store.db
      .selectFrom('all_deliveries')
      .select(['error_code', 'error_message'])
      .where('destination_id', 'in', [mixed.id, kept.id])
      .where('error_code', 'is not', null)
      .execute();
    const message = { error_code: 'http_503', error_message: 'a \ufffd, cut off in the middle of \ufffd' };
    expect(messages).toEqual([message, message, message]);
    expect(await laneOf(store, mixed.id)).toMatchObject({ batch_id: null, status: 'healthy', next_sequence: 5 });
    expect(await laneOf(store, kept.id)).toMatchObject({
      batch_id: second.lease.batchId,
      batch_delivery_ids: [String(retried.id), String(unsent.id)],
      status: 'retrying',
      failures: 1,
      next_sequence: 4,
      last_error_code: 'http_503',
      attempt_token: null,
    });
    expect(await attemptsOf(store, mixed.id)).toMatchObject([
      { records: 4, delivered: 2, retried: 0, rejected: 1, http_status: 503, rejections: { first_sequence: 2 } },
    ]);
    expect(await attemptsOf(store, kept.id)).toMatchObject([{ records: 2, delivered: 1, retried: 1, rejected: 0 }]);
  });

  it('records the other lanes when the lease of one was lost, or another transaction has locked it', async () => {
    const all = await seeded(4, 2);
    const loaded = await leased(all);
    const [lost, locked, gone, usual] = [only(all, 0), only(all, 1), only(all, 2), only(all, 3)];
    await sql`update delivery_lanes set attempt_token = 'att_other' where destination_id = ${lost.id}`.execute(
      store.db,
    );
    await sql`delete from resources where id = ${gone.id}`.execute(store.db);
    expect(await whileLocked(locked, () => settled(loaded))).toEqual([false, false, false, true]);
    expect(await statesOf(lost)).toEqual(['pending', 'pending']);
    expect(await statesOf(locked)).toEqual(['pending', 'pending']);
    expect(await statesOf(usual)).toEqual(['delivered', 'delivered']);
    expect(await attemptsOf(store, lost.id)).toEqual([]);
    // What the group left is recorded alone.
    const { lease } = only(loaded, 1);
    expect(await lanes.settle(lease, await delivered(only(loaded, 1)))).toBe('settled');
    expect(await statesOf(locked)).toEqual(['delivered', 'delivered']);
    // A second settlement of the same attempt writes nothing.
    expect(await settled(loaded)).toEqual([false, false, false, false]);
    expect(await attemptsOf(store, usual.id)).toHaveLength(1);
  });

  it('writes nothing in any lane when the statement fails', async () => {
    const all = await seeded(2);
    const loaded = await leased(all);
    const bad = (lease: Lease, settlement: Settlement) => ({ lease: { ...lease, attempt: 2 ** 31 }, settlement });
    const attempts = await Promise.all(
      loaded.map(async (one, index) =>
        index === 0 ? bad(one.lease, await delivered(one)) : { lease: one.lease, settlement: await delivered(one) },
      ),
    );
    await expect(lanes.settleGroup(attempts)).rejects.toMatchObject({ code: '22003' });
    for (const one of all) expect(await statesOf(one)).toEqual(['pending']);
    expect(await lanes.settleGroup(attempts.slice(1))).toEqual(['settled']);
  });

  it('leaves a lane free whose delivery the next claim finds, whoever makes it: the process that settled may die', async () => {
    const [lane] = await seeded(1);
    if (!lane) throw new Error('no destination');
    const loaded = await leased([lane]);
    // Committed while the lane is busy: the look of its writer finds nothing to do.
    await seedEvents(store, [lane], 1);
    expect(await lanes.claimGroup([{ destinationId: lane.id, batchId: newId('bat') }])).toEqual([null]);
    expect(await settled(loaded)).toEqual([true]);
    const claims = await lanes.claimGroup([{ destinationId: lane.id, batchId: newId('bat') }]);
    expect(claims).toMatchObject([{ events: [{ sequence: 2 }] }]);
  });
});
