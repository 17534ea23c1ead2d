import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DayPartitions } from '../../src/database/partitions/day-partitions.js';
import { eventTable } from '../../src/database/partitions/event-partitions.js';
import type { Store } from '../../src/database/store.js';
import { settlementOf } from '../../src/delivery/attempts/settlement.js';
import { DeletedLaneStore } from '../../src/delivery/cancellation/deleted-lane-store.js';
import { BatchStore } from '../../src/delivery/lanes/batch-store.js';
import { LaneStore, type ClaimedBatch } from '../../src/delivery/lanes/lane-store.js';
import type { Lease, Settlement } from '../../src/delivery/lanes/lane.js';
import type { EndedAttempt } from '../../src/delivery/lanes/settle-statement.js';
import { newId } from '../../src/ids/id.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import type { Outcome } from '../../src/targets/target.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
import { finishDeliveries } from './support/finished.js';
import { laneOf, seedAccount, seedDestination, seedEvents, type SeededDestination } from './support/seed.js';

const MINUTE = 60_000;
const schedule = { baseMs: 1, capMs: 1 };
const policy = { retry: schedule, misconfigured: schedule, deadlineMs: MINUTE };
const deliveredOutcome = { kind: 'delivered' } as const;
const rejectedOutcome = {
  kind: 'rejected',
  basis: 'record',
  reason: { code: 'no', message: 'No.' },
} as const;
const retriedOutcome = { kind: 'retry', reason: { code: 'busy', message: 'Busy.' } } as const;
/** Rows that come to tables that were almost empty when the plans were made. */
const DELIVERED = 20_000;
const PENDING = 20_000;
/**
 * Most rows that all statements together may read for each delivery: itself and its event, each time that one of them
 * needs it.
 */
const MOST_ROWS_EACH = 9;
/** As above, where batches are claimed ahead: a claim also reads the deliveries that the lane's row holds. */
const MOST_ROWS_EACH_AHEAD = 10;

/** Lanes of a group, each with this many small deliveries. */
const LANES = 20;
const EACH = 3;
/** Lanes that come to a table that was almost empty when the plans were made. */
const MORE_LANES = 1_000;
/**
 * Most rows that the statements of a group may read for each delivery: also its share of the lane and of its
 * destination, which each statement finds a few times.
 */
const MOST_ROWS_OF_A_GROUP = 16;

let store: Store;
let lanes: LaneStore;
let batches: BatchStore;
let accountId: string;
let destination: SeededDestination;

beforeEach(async () => {
  // One connection: what it has planned is what is run.
  store = await createTestStore({ poolSize: 1 });
  lanes = new LaneStore(store.db, targetLimits);
  batches = new BatchStore(store.db, 'log.test');
  accountId = await seedAccount(store);
  destination = await seedDestination(store, new SecretStore(testKeyRing()), lanes, accountId);
  const partitions = (await new DayPartitions(store.db, eventTable).list()).map(({ name }) => name);
  for (const table of ['deliveries', ...partitions, 'delivery_lanes', 'resources'])
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = off)`.execute(store.db);
});
afterEach(() => store.close());

/** The tables of events and deliveries, and those that grow with the number of destinations. */
const tables = ['deliveries', 'events', 'delivery_lanes', 'resources'];

/** Rows of these tables and of `events` that were read so far, also by index, and full scans of them. */
async function read(of: readonly string[] = ['deliveries']): Promise<{ rows: number; scans: number }> {
  await sql`select pg_stat_force_next_flush()`.execute(store.db);
  const { rows } = await sql<{ rows: number; scans: number }>`
    select sum(seq_tup_read + idx_tup_fetch)::int as rows, sum(seq_scan)::int as scans
    from pg_stat_user_tables where relname = any(${of}) or relname like 'events%'`.execute(store.db);
  return rows[0] ?? { rows: 0, scans: 0 };
}

async function claimed(): Promise<ClaimedBatch> {
  const batch = await lanes.claim(destination.id, newId('bat'));
  if (!batch) throw new Error('nothing was claimed');
  return batch;
}

async function leased({ batchId }: Pick<ClaimedBatch, 'batchId'>): Promise<Lease> {
  const grant = await lanes.lease(destination.id, batchId, newId('att'), MINUTE);
  if (grant.kind !== 'granted') throw new Error(`not granted: ${grant.kind}`);
  return grant.lease;
}

/** What an attempt comes to that delivers the batch, or of it the first `taken` while the others have `rest`. */
async function attempted(
  lease: Lease,
  taken = Number.POSITIVE_INFINITY,
  rest: Outcome = rejectedOutcome,
): Promise<Settlement> {
  const deliveries = await batches.load(lease);
  const outcomes = deliveries.map((_, index) => (index < taken ? deliveredOutcome : rest));
  const attempt = { deliveries, outcomes, startedAt: new Date(), durationMs: 1, failuresBefore: 0 };
  return settlementOf(attempt, policy);
}

/**
 * Delivers a batch, claims the next one with its settlement, and finishes that by its second attempt. Returns the
 * number of deliveries.
 */
async function deliverTwoBatches(): Promise<number> {
  const first = await leased(await claimed());
  const settlement = await attempted(first);
  await batches.prefetch(destination.id, settlement.delivered.at(-1)?.id ?? 0, 500, 1_000_000);
  const next = { batchId: newId('bat'), token: newId('att') };
  const went = await lanes.advance({ recorded: { lease: first, settlement }, current: null, next }, MINUTE);
  if (went.kind !== 'advanced' || !went.next) throw new Error(`did not go on: ${went.kind}`);
  expect(await lanes.settle(went.next, await attempted(went.next, 0, retriedOutcome))).toBe('settled');
  await lanes.resume(destination.id);
  const again = await leased(went.next);
  const last = await attempted(again, 1);
  expect(await lanes.settle(again, last)).toBe('settled');
  return settlement.delivered.length + last.delivered.length + last.undelivered.length;
}

/**
 * Delivers four batches, each of which is recorded while the next one is sent. Returns the number of deliveries.
 */
async function deliverAhead(): Promise<number> {
  let current: Lease | null = await leased(await claimed());
  let delivered: EndedAttempt | null = null;
  let count = 0;
  for (let sent = 1; current; sent += 1) {
    const attempt: EndedAttempt = { lease: current, settlement: await attempted(current) };
    count += attempt.settlement.delivered.length;
    const next = sent === 4 ? null : { batchId: newId('bat'), token: current.token };
    const advanced = await lanes.advance({ recorded: delivered, current, next }, MINUTE);
    if (advanced.kind === 'unchanged') throw new Error('the lane was not advanced');
    if (!advanced.next) expect(await lanes.settle(current, attempt.settlement)).toBe('settled');
    current = advanced.next;
    delivered = attempt;
  }
  return count;
}

/**
 * What `work` says it did with so many deliveries, having read the tables by index only, and little of them.
 */
async function readFor(work: () => Promise<number>, mostRowsEach = MOST_ROWS_EACH): Promise<number> {
  const before = await read();
  const deliveries = await work();
  const after = await read();
  expect(after.scans - before.scans, 'full scans').toBe(0);
  expect(after.rows - before.rows, 'rows read').toBeLessThan(deliveries * mostRowsEach);
  return deliveries;
}

async function analyze(): Promise<void> {
  await sql`vacuum analyze deliveries`.execute(store.db);
  await sql`vacuum analyze events`.execute(store.db);
}

/**
 * Every plan is made and used as often as Postgres takes to keep it, with the tables emptied after each round.
 */
async function planWhileEmpty(): Promise<void> {
  for (let round = 1; round <= 7; round += 1) {
    await seedEvents(store, [destination], 501);
    await analyze();
    expect(await deliverTwoBatches()).toBe(501);
    await seedEvents(store, [destination], 1_503);
    expect(await deliverAhead()).toBe(1_503);
    await sql`delete from deliveries`.execute(store.db);
    await sql`delete from events`.execute(store.db);
  }
  await analyze();
  await seedEvents(store, [destination], 501);
  expect(await deliverTwoBatches()).toBe(501);
  await seedEvents(store, [destination], 1_503);
  expect(await deliverAhead()).toBe(1_503);
}

/** The statistics say that of what there is nothing waits. */
async function planWhileNothingWaits(): Promise<void> {
  await seedEvents(store, [destination], 501);
  expect(await deliverTwoBatches()).toBe(501);
  await analyze();
  await seedEvents(store, [destination], 501);
  expect(await deliverTwoBatches()).toBe(501);
  await seedEvents(store, [destination], 1_503);
  expect(await deliverAhead()).toBe(1_503);
}

it.each([
  { when: 'the tables were empty', plan: planWhileEmpty },
  { when: 'nothing waited', plan: planWhileNothingWaits },
])('reads little more than its own rows by plans that were made while $when', async ({ plan }) => {
  await plan();
  await finishDeliveries(store, await seedEvents(store, [destination], DELIVERED), { state: 'delivered' });
  await seedEvents(store, [destination], PENDING);

  expect(await readFor(deliverTwoBatches)).toBe(1_000);
  expect(await readFor(deliverAhead, MOST_ROWS_EACH_AHEAD)).toBe(2_000);
  expect(await laneOf(store, destination.id)).toMatchObject({ batch_id: null, status: 'healthy' });

  await sql`update delivery_lanes set failures = 1`.execute(store.db);
  expect(await readFor(() => lanes.expireWaiting(destination.id, -MINUTE, 1_000))).toBe(1_000);

  await sql`delete from delivery_lanes`.execute(store.db);
  const cancel = async () => {
    const lane = { destinationId: destination.id, floorId: 0, isLast: true };
    return (await new DeletedLaneStore(store.db).cancel(lane, 0, 1_000)).cancelled;
  };
  expect(await readFor(cancel)).toBe(1_000);
});

/** Delivers what waits in small batches of these lanes, one group for each step. Returns the number of deliveries. */
async function deliverGroup(all: readonly SeededDestination[]): Promise<number> {
  const asked = () => all.map(({ id }) => ({ destinationId: id, batchId: newId('bat') }));
  const claims = await lanes.claimGroup(asked());
  const requests = claims.map((claim) => {
    if (claim === null || claim === 'left') throw new Error('a lane was not claimed');
    return { destinationId: claim.destinationId, batchId: claim.batchId, token: newId('att'), failingWaitMs: null };
  });
  const attempts = [];
  for (const leasedBatch of await lanes.leaseGroup(requests, MINUTE)) {
    if (leasedBatch?.kind !== 'granted') throw new Error('a lane was not leased');
    const { lease, deliveries } = leasedBatch;
    const loaded = await batches.load(lease, deliveries ?? undefined);
    const outcomes = loaded.map(() => deliveredOutcome);
    const attempt = { deliveries: loaded, outcomes, startedAt: new Date(), durationMs: 1, failuresBefore: 0 };
    attempts.push({ lease, settlement: settlementOf(attempt, policy) });
  }
  expect(await lanes.settleGroup(attempts)).toEqual(all.map(() => 'settled'));
  expect(await lanes.claimGroup(asked())).toEqual(all.map(() => null));
  return attempts.reduce((sum, { settlement }) => sum + settlement.delivered.length, 0);
}

/** How often the statements of groups were run by the kept plan, and by one for their values. */
async function plans(): Promise<{ generic: number; custom: number }> {
  const { rows } = await sql<{ generic: number; custom: number }>`
    select sum(generic_plans)::int as generic, sum(custom_plans)::int as custom from pg_prepared_statements
    where statement like '%asked as materialized%'`.execute(store.db);
  return rows[0] ?? { generic: 0, custom: 0 };
}

async function seedLanes(count: number): Promise<readonly SeededDestination[]> {
  const secrets = new SecretStore(testKeyRing());
  const all: SeededDestination[] = [];
  for (let index = 0; index < count; index += 1) all.push(await seedDestination(store, secrets, lanes, accountId));
  return all;
}

it.each([1, LANES])(
  'reads little more than its own rows in a group, by a plan that was made for %s lanes and an empty table, and keeps it',
  async (plannedFor) => {
    const first = await seedLanes(plannedFor);
    for (let round = 1; round <= 10; round += 1) {
      await seedEvents(store, first, EACH);
      for (const table of tables) await sql`vacuum analyze ${sql.table(table)}`.execute(store.db);
      // Groups of different sizes, by the same plan.
      const size = Math.max(1, plannedFor - round);
      const some = first.slice(0, size);
      expect(await deliverGroup(some)).toBe(EACH * size);
      await sql`delete from deliveries`.execute(store.db);
      await sql`delete from events`.execute(store.db);
    }
    for (const table of tables) await sql`vacuum analyze ${sql.table(table)}`.execute(store.db);

    const more = await seedLanes(MORE_LANES);
    await seedEvents(store, more.slice(LANES), 10);
    const group = more.slice(0, LANES);
    await seedEvents(store, group, EACH);
    const before = await read(tables);
    expect(await deliverGroup(group)).toBe(LANES * EACH);
    const after = await read(tables);
    expect(after.scans - before.scans, 'full scans').toBe(0);
    expect(after.rows - before.rows, 'rows read').toBeLessThan(LANES * EACH * MOST_ROWS_OF_A_GROUP);

    const deliverRounds = async (rounds: number) => {
      for (let round = 1; round <= rounds; round += 1) {
        const some = group.slice(0, round);
        await seedEvents(store, some, EACH);
        expect(await deliverGroup(some)).toBe(EACH * round);
      }
    };
    // Postgres compares the kept plan with the mean of those for the values, which it made while the tables were small.
    await deliverRounds(15);
    const planned = await plans();
    await deliverRounds(5);
    const later = await plans();
    expect(later.custom, 'plans for the values').toBe(planned.custom);
    // A claim, a lease, a settlement and the claim after it.
    expect(later.generic - planned.generic).toBe(5 * 4);
  },
);
