import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { settlementOf } from '../../src/delivery/attempts/settlement.js';
import { DeletedLaneStore } from '../../src/delivery/cancellation/deleted-lane-store.js';
import { BatchStore } from '../../src/delivery/lanes/batch-store.js';
import { LaneStore, type ClaimedBatch } from '../../src/delivery/lanes/lane-store.js';
import type { Lease, Settlement } from '../../src/delivery/lanes/lane.js';
import { newId } from '../../src/ids/id.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
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
/** Rows that come to tables that were almost empty when the plans were made. */
const DELIVERED = 20_000;
const PENDING = 20_000;
/**
 * Most rows that all statements together may read for each delivery: itself and its event, each time that one of them
 * needs it.
 */
const MOST_ROWS_EACH = 8;

let store: Store;
let lanes: LaneStore;
let batches: BatchStore;
let destination: SeededDestination;

beforeEach(async () => {
  // One connection: what it has planned is what is run.
  store = await createTestStore({ poolSize: 1 });
  lanes = new LaneStore(store.db, targetLimits);
  batches = new BatchStore(store.db);
  const accountId = await seedAccount(store);
  destination = await seedDestination(store, new SecretStore(testKeyRing()), lanes, accountId);
  await sql`alter table deliveries set (autovacuum_enabled = off)`.execute(store.db);
  await sql`alter table events_first set (autovacuum_enabled = off)`.execute(store.db);
});
afterEach(() => store.close());

/**
 * Rows of the tables of events and deliveries that were read so far, from the tables themselves and by index, and full
 * scans of them.
 */
async function read(): Promise<{ rows: number; scans: number }> {
  await sql`select pg_stat_force_next_flush()`.execute(store.db);
  const { rows } = await sql<{ rows: number; scans: number }>`
    select sum(seq_tup_read + idx_tup_fetch)::int as rows, sum(seq_scan)::int as scans
    from pg_stat_user_tables where relname = 'deliveries' or relname like 'events%'`.execute(store.db);
  return rows[0] ?? { rows: 0, scans: 0 };
}

async function claimed(): Promise<ClaimedBatch> {
  const batch = await lanes.claim(destination.id, newId('bat'));
  if (!batch) throw new Error('nothing was claimed');
  return batch;
}

async function leased({ batchId }: ClaimedBatch): Promise<Lease> {
  const grant = await lanes.lease(destination.id, batchId, newId('att'), MINUTE);
  if (grant.kind !== 'granted') throw new Error(`not granted: ${grant.kind}`);
  return grant.lease;
}

/**
 * What an attempt comes to that delivers the batch, or of it the first `taken` while the others are rejected.
 */
async function attempted(lease: Lease, taken = Number.POSITIVE_INFINITY): Promise<Settlement> {
  const deliveries = await batches.load(lease);
  const outcomes = deliveries.map((_, index) => (index < taken ? deliveredOutcome : rejectedOutcome));
  const attempt = { deliveries, outcomes, startedAt: new Date(), durationMs: 1, failuresBefore: 0 };
  return settlementOf(attempt, policy);
}

/**
 * Delivers a batch, claims the next one with its settlement, and delivers that. Returns the number of deliveries.
 */
async function deliverTwoBatches(): Promise<number> {
  const first = await leased(await claimed());
  const settlement = await attempted(first);
  await batches.prefetch(destination.id, settlement.delivered.at(-1)?.id ?? 0, 500, 1_000_000);
  const next = { batchId: newId('bat'), token: newId('att') };
  const went = await lanes.settleAndClaimNext(first, settlement, next, MINUTE);
  if (went.kind !== 'leased') throw new Error(`did not go on: ${went.kind}`);
  // Some of them are rejected: that is another text, with another plan.
  const second = await attempted(went.lease, 1);
  expect(await lanes.settle(went.lease, second)).toBe('settled');
  return settlement.delivered.length + second.delivered.length + second.undelivered.length;
}

/**
 * What `work` says it did with so many deliveries, having read the tables by index only, and little of them.
 */
async function readFor(work: () => Promise<number>): Promise<number> {
  const before = await read();
  const deliveries = await work();
  const after = await read();
  expect(after.scans - before.scans, 'full scans').toBe(0);
  expect(after.rows - before.rows, 'rows read').toBeLessThan(deliveries * MOST_ROWS_EACH);
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
    await sql`delete from deliveries`.execute(store.db);
    await sql`delete from events`.execute(store.db);
  }
  await analyze();
  await seedEvents(store, [destination], 501);
  expect(await deliverTwoBatches()).toBe(501);
}

/** The statistics say that of what there is nothing waits. */
async function planWhileNothingWaits(): Promise<void> {
  await seedEvents(store, [destination], 501);
  expect(await deliverTwoBatches()).toBe(501);
  await analyze();
  await seedEvents(store, [destination], 501);
  expect(await deliverTwoBatches()).toBe(501);
}

it.each([
  { when: 'the tables were empty', plan: planWhileEmpty },
  { when: 'nothing waited', plan: planWhileNothingWaits },
])(
  'reads little more than its own rows by plans that were made while $when',
  async ({ plan }) => {
    await plan();
    await seedEvents(store, [destination], DELIVERED);
    await sql`
    update deliveries set state = 'delivered', finished_at = now(), sequence = 1000000 + id, attempts = 1
    where state = 'pending'`.execute(store.db);
    await seedEvents(store, [destination], PENDING);

    expect(await readFor(deliverTwoBatches)).toBe(1_000);
    expect(await laneOf(store, destination.id)).toMatchObject({ batch_id: null, status: 'healthy' });

    await sql`update delivery_lanes set failures = 1`.execute(store.db);
    expect(await readFor(() => lanes.expireWaiting(destination.id, -MINUTE, 1_000))).toBe(1_000);

    await sql`delete from delivery_lanes`.execute(store.db);
    const cancel = async () => {
      const lane = { destinationId: destination.id, floorId: 0, isLast: true };
      return (await new DeletedLaneStore(store.db).cancel(lane, 0, 1_000)).cancelled;
    };
    expect(await readFor(cancel)).toBe(1_000);
  },
  60_000,
);
