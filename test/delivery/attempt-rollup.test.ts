import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import { AttemptRollup } from '../../src/delivery/rollups/attempt-rollup.js';
import { pairArray, type BucketCount } from '../../src/delivery/rollups/latency-counts.js';
import { RollupStore } from '../../src/delivery/rollups/rollup-store.js';
import { DestinationMetricsStore } from '../../src/destinations/metrics/destination-metrics-store.js';
import { createLogger } from '../../src/logging/logger.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
import { untilCountable } from './support/other-transactions.js';
import { seedAccount, seedDestination, seedEvents, type SeededDestination } from './support/seed.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const control = { stopped: new AbortController().signal, progressed: () => {} };

let store: Store;
let rollups: RollupStore;
let rollup: AttemptRollup;
let accountId: string;
let destination: SeededDestination;
beforeEach(async () => {
  store = await createTestStore();
  rollups = new RollupStore(store.db);
  rollup = new AttemptRollup(rollups, createLogger('silent'));
  accountId = await seedAccount(store);
  const lanes = new LaneStore(store.db, targetLimits);
  destination = await seedDestination(store, new SecretStore(testKeyRing()), lanes, accountId);
});
afterEach(() => store.close());

/** A turn of the roll-up that no transaction of another test holds up. Returns how many attempts it counted. */
async function turn(): Promise<number> {
  await untilCountable(store);
  return rollup.run(control);
}

interface Attempt {
  readonly of?: string;
  readonly delivered?: number;
  readonly retried?: number;
  readonly rejected?: number;
  readonly expired?: number;
  readonly latencies?: readonly BucketCount[];
  readonly recordedAt?: Date;
  readonly startedAt?: Date;
}

/** Records an attempt, by another connection than that of the store where one is given. */
async function attempt(
  { of = destination.id, delivered = 0, retried = 0, rejected = 0, expired = 0, latencies, ...when }: Attempt,
  db: { query(text: string, values: unknown[]): Promise<unknown> } = store.pool,
): Promise<void> {
  const { recordedAt = new Date(), startedAt = new Date() } = when;
  await db.query(
    `insert into delivery_attempts (batch_id, destination_id, number, started_at, duration_ms, records, delivered,
                                    retried, rejected, outcome, latencies, recorded_at)
     values ('bat_1', $1, 1, $2, 5, $3, $4, $5, $6, 'healthy', $7::int[], $8)`,
    [
      of,
      startedAt,
      delivered + retried + rejected + expired,
      delivered,
      retried,
      rejected,
      latencies ? pairArray(latencies) : null,
      recordedAt,
    ],
  );
}

type Table = 'destination_minutes' | 'destination_hours';

/** The roll-ups of a destination, in the order of time. */
async function rolledUp(table: Table, of = destination.id) {
  const { rows } = await sql<Record<string, unknown>>`
    select begins_at, attempts, records, largest_batch, delivered, retried, rejected, expired, latencies::text as latencies
    from ${sql.table(table)} where destination_id = ${of} order by begins_at`.execute(store.db);
  return rows;
}

const both = ['destination_minutes', 'destination_hours'] as const;

/** A minute within the retention, at a full hour. */
const atHour = new Date(Math.floor(Date.now() / HOUR) * HOUR - DAY);
const later = (ms: number) => new Date(atHour.getTime() + ms);

describe('the roll-up of attempts', () => {
  it('adds up the attempts of a minute and of an hour, with the latencies of both', async () => {
    await attempt({
      delivered: 3,
      retried: 2,
      recordedAt: later(1_000),
      latencies: [
        [4, 1],
        [9, 2],
      ],
    });
    await attempt({ rejected: 1, expired: 4, recordedAt: later(59_999), latencies: [] });
    await attempt({
      delivered: 7,
      recordedAt: later(HOUR - 1),
      latencies: [
        [9, 5],
        [30, 2],
      ],
    });
    await attempt({ delivered: 1, recordedAt: later(HOUR), latencies: [[1, 1]] });
    expect(await turn()).toBe(4);
    expect(await rolledUp('destination_minutes')).toEqual([
      {
        begins_at: atHour,
        attempts: 2,
        records: 10,
        largest_batch: 5,
        delivered: 3,
        retried: 2,
        rejected: 1,
        expired: 4,
        latencies: '{{4,1},{9,2}}',
      },
      expect.objectContaining({ begins_at: later(HOUR - MINUTE), delivered: 7, latencies: '{{9,5},{30,2}}' }),
      expect.objectContaining({ begins_at: later(HOUR), delivered: 1, latencies: '{{1,1}}' }),
    ]);
    expect(await rolledUp('destination_hours')).toEqual([
      {
        begins_at: atHour,
        attempts: 3,
        records: 17,
        largest_batch: 7,
        delivered: 10,
        retried: 2,
        rejected: 1,
        expired: 4,
        latencies: '{{4,1},{9,7},{30,2}}',
      },
      expect.objectContaining({ begins_at: later(HOUR), delivered: 1 }),
    ]);
  });

  it('adds later attempts to a row, and merges the latencies', async () => {
    await attempt({
      delivered: 3,
      recordedAt: atHour,
      latencies: [
        [4, 1],
        [9, 2],
      ],
    });
    await turn();
    await attempt({
      delivered: 8,
      recordedAt: atHour,
      latencies: [
        [9, 1],
        [12, 7],
      ],
    });
    await attempt({ retried: 2, recordedAt: atHour, latencies: [] });
    expect(await turn()).toBe(2);
    for (const table of both) {
      expect(await rolledUp(table)).toMatchObject([
        { attempts: 3, records: 13, largest_batch: 8, delivered: 11, retried: 2, latencies: '{{4,1},{9,3},{12,7}}' },
      ]);
    }
    expect(await turn()).toBe(0);
    expect(await rolledUp('destination_minutes')).toMatchObject([{ attempts: 3 }]);
  });

  it('waits for a transaction that may still commit an earlier attempt, and counts it once', async () => {
    const late = await store.pool.connect();
    try {
      await late.query('begin');
      await attempt({ delivered: 1, recordedAt: atHour }, late);
      // Has a higher id, and is committed.
      await attempt({ delivered: 10, recordedAt: atHour });
      await rollups.propose();
      expect(await rollups.rollUp(100)).toBeNull();
      expect(await rolledUp('destination_minutes')).toEqual([]);
      // Committed after the proposal, with a higher id again: the next turn counts it.
      await attempt({ delivered: 100, recordedAt: atHour });
      await late.query('commit');
    } finally {
      late.release();
    }
    await untilCountable(store);
    expect(await rollups.rollUp(100)).toEqual({ attempts: 2, isDone: true });
    expect(await rolledUp('destination_minutes')).toMatchObject([{ delivered: 11 }]);
    expect(await turn()).toBe(1);
    for (const table of both) expect(await rolledUp(table)).toMatchObject([{ attempts: 3, delivered: 111 }]);
  });

  it('is complete up to a time before which no attempt is recorded later', async () => {
    const completeUntil = async () => {
      const { rows } = await store.pool.query<{ at: Date }>('select complete_until as at from attempt_rollup');
      return rows[0]?.at ?? new Date(0);
    };
    const late = await store.pool.connect();
    const before = await completeUntil();
    try {
      await late.query('begin');
      await late.query(
        `insert into delivery_attempts (batch_id, destination_id, number, started_at, duration_ms, records, delivered,
                                        retried, rejected, outcome)
         values ('bat_1', $1, 1, now(), 5, 1, 1, 0, 0, 'healthy')`,
        [destination.id],
      );
      await rollups.propose();
      await rollups.rollUp(100);
      expect(await completeUntil()).toEqual(before);
      await late.query('commit');
    } finally {
      late.release();
    }
    await turn();
    await turn();
    const { rows } = await store.pool.query<{ recorded_at: Date }>('select recorded_at from delivery_attempts');
    expect(rows).toHaveLength(1);
    expect((await completeUntil()).getTime()).toBeGreaterThan(rows[0]?.recorded_at.getTime() ?? Infinity);
    expect(await rolledUp('destination_hours')).toMatchObject([{ attempts: 1 }]);
  });

  it('counts everything once when a page fails after it was added up', async () => {
    for (let n = 0; n < 25; n += 1) await attempt({ delivered: 1, recordedAt: atHour, latencies: [[5, 1]] });
    await store.pool.query(`create function fail_at() returns trigger language plpgsql as $$
      begin if new.counted_id >= 20 then raise exception 'killed'; end if; return new; end $$`);
    await store.pool.query(
      'create trigger fail_at before update on attempt_rollup for each row execute function fail_at()',
    );
    const paged = new AttemptRollup(rollups, createLogger('silent'), 10);
    await untilCountable(store);
    await expect(paged.run(control)).rejects.toThrow('killed');
    expect(await rolledUp('destination_minutes')).toMatchObject([{ attempts: 10 }]);
    await store.pool.query('drop trigger fail_at on attempt_rollup');
    expect(await paged.run(control)).toBe(15);
    for (const table of both) expect(await rolledUp(table)).toMatchObject([{ attempts: 25, latencies: '{{5,25}}' }]);
  });

  it('counts everything once when two processes have a turn at the same moment', async () => {
    for (let n = 0; n < 60; n += 1) await attempt({ delivered: 1, recordedAt: atHour });
    await untilCountable(store);
    const turns = await Promise.all(
      [1, 2, 3].map(() => new AttemptRollup(new RollupStore(store.db), createLogger('silent'), 7).run(control)),
    );
    expect(turns.reduce((sum, counted) => sum + counted)).toBe(60);
    expect(await rolledUp('destination_hours')).toMatchObject([{ attempts: 60, delivered: 60 }]);
  });

  it('counts what expired without an attempt', async () => {
    const lanes = new LaneStore(store.db, targetLimits);
    await seedEvents(store, [destination], 5, { ageMs: 2 * HOUR });
    await store.pool.query(`update delivery_lanes set failures = 1 where destination_id = $1`, [destination.id]);
    expect(await lanes.expireWaiting(destination.id, HOUR, 3)).toBe(3);
    await turn();
    expect(await lanes.expireWaiting(destination.id, HOUR, 3)).toBe(2);
    expect(await lanes.expireWaiting(destination.id, HOUR, 3)).toBe(0);
    await turn();
    const rows = await rolledUp('destination_hours');
    expect(rows.reduce((sum, { expired }) => sum + Number(expired), 0)).toBe(5);
    expect(rows[0]).toMatchObject({ attempts: 0, records: 0, largest_batch: null });
    expect((await store.pool.query('select from uncounted_expiries')).rowCount).toBe(0);
  });

  it('replaces a proposal of another cluster, whose transaction ids are ahead', async () => {
    await attempt({ delivered: 1, recordedAt: atHour });
    await store.pool.query(`update attempt_rollup set next_id = 7, next_xid = '9000000000000', next_at = now()`);
    expect(await turn()).toBe(1);
    expect(await rolledUp('destination_minutes')).toMatchObject([{ delivered: 1 }]);
  });

  it('keeps 30 days, of which the oldest hour is whole', async () => {
    const ages = [29 * DAY, 30 * DAY - MINUTE, 30 * DAY + 2 * HOUR, 90 * DAY];
    for (const age of ages) await attempt({ delivered: 1, recordedAt: new Date(Date.now() - age) });
    expect(await turn()).toBe(ages.length);
    for (const table of both) {
      expect(await rolledUp(table)).toHaveLength(2);
      await store.pool.query(`update ${table} set begins_at = begins_at - interval '20 hours'`);
    }
    await turn();
    for (const table of both) expect(await rolledUp(table)).toHaveLength(1);
  });

  it('ends when the process stops, and continues there', async () => {
    for (let n = 0; n < 25; n += 1) await attempt({ delivered: 1, recordedAt: atHour });
    const stop = new AbortController();
    const paged = new AttemptRollup(rollups, createLogger('silent'), 10);
    await untilCountable(store);
    expect(await paged.run({ stopped: stop.signal, progressed: () => stop.abort() })).toBe(10);
    expect(await paged.run(control)).toBe(15);
    expect(await rolledUp('destination_minutes')).toMatchObject([{ attempts: 25 }]);
  });
});

describe('the metrics of a destination', () => {
  const metrics = () => new DestinationMetricsStore(store.db);
  const day = (table: Table, stepMs: number) => ({ from: atHour, to: later(DAY), stepMs, table });

  it('are the same from minutes and from hours', async () => {
    for (let n = 0; n < 50; n += 1)
      await attempt({ delivered: n, retried: 1, recordedAt: later(n * 7 * MINUTE), latencies: [[n % 9, n]] });
    await turn();
    const ofMinutes = await metrics().read(accountId, destination.id, day('destination_minutes', HOUR));
    const ofHours = await metrics().read(accountId, destination.id, day('destination_hours', HOUR));
    expect(ofHours?.steps.size).toBe(6);
    expect(ofMinutes?.steps).toEqual(ofHours?.steps);
  });

  it('belong to its account, and begin and end with the range', async () => {
    for (const ms of [-1, 0, DAY - 1, DAY]) await attempt({ delivered: 1, recordedAt: later(ms) });
    await turn();
    const found = await metrics().read(accountId, destination.id, day('destination_minutes', MINUTE));
    expect([...(found?.steps.keys() ?? [])].toSorted((a, b) => a - b)).toEqual([
      later(0).getTime(),
      later(DAY - MINUTE).getTime(),
    ]);
    expect(await metrics().read('acc_other', destination.id, day('destination_minutes', MINUTE))).toBeUndefined();
  });
});
