import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { settlementOf } from '../../src/delivery/attempts/settlement.js';
import { SMALL_BATCH } from '../../src/delivery/lanes/batch-limits.js';
import { BatchStore } from '../../src/delivery/lanes/batch-store.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import type { Lease } from '../../src/delivery/lanes/lane.js';
import { RedeliveryStore } from '../../src/delivery/redelivery/redelivery-store.js';
import { newId } from '../../src/ids/id.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
import { untilOthersEnded } from './support/other-transactions.js';
import {
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
/** Records of a batch of a data stream. */
const BATCH = 500;

let store: Store;
let lanes: LaneStore;
let batches: BatchStore;
let redeliveries: RedeliveryStore;
let accountId: string;
const secrets = new SecretStore(testKeyRing());

beforeAll(async () => {
  // One connection: its statistics are complete.
  store = await createTestStore({ poolSize: 1 });
  lanes = new LaneStore(store.db, targetLimits);
  batches = new BatchStore(store.db, 'log.test');
  redeliveries = new RedeliveryStore(store.db);
  accountId = await seedAccount(store);
  await sql`alter table deliveries set (autovacuum_enabled = off)`.execute(store.db);
});
afterAll(() => store.close());

const destination = () => seedDestination(store, secrets, lanes, accountId);

/** Claims the next batch and returns the ids of its events and its lease; null when nothing is pending. */
async function claim({ id }: SeededDestination): Promise<{ events: readonly string[]; lease: Lease } | null> {
  const batch = await lanes.claim(id, newId('bat'));
  if (!batch) return null;
  const grant = await lanes.lease(id, batch.batchId, newId('att'), MINUTE);
  if (grant.kind !== 'granted') throw new Error(`not granted: ${grant.kind}`);
  return { events: batch.events.map((event) => event.id), lease: grant.lease };
}

async function deliveredSettlement(lease: Lease) {
  const deliveries = await batches.load(lease);
  const outcomes = deliveries.map(() => ({ kind: 'delivered' }) as const);
  const attempt = { deliveries, outcomes, startedAt: new Date(), durationMs: 1, failuresBefore: 0 };
  return { deliveries, settlement: settlementOf(attempt, policy) };
}

/** Delivers the next batch. Returns its events, in order. */
async function deliverBatch(to: SeededDestination): Promise<readonly string[]> {
  const claimed = await claim(to);
  if (!claimed) return [];
  const { settlement } = await deliveredSettlement(claimed.lease);
  expect(await lanes.settle(claimed.lease, settlement)).toBe('settled');
  return claimed.events;
}

/**
 * Waits until every transaction has ended that ran when the next floor was proposed: those of other tests count, since
 * they share the server.
 */
async function ripe({ id }: SeededDestination): Promise<void> {
  await untilOthersEnded(
    store,
    `select coalesce(next_floor_xid < pg_snapshot_xmin(pg_current_snapshot()), true)
     from delivery_lanes where destination_id = $1`,
    [id],
    20_000,
  );
}

/** Publishes and delivers so many events one by one, each after the lane can advance its floor. */
async function deliverSingly(to: SeededDestination, count: number): Promise<readonly string[]> {
  const events: string[] = [];
  for (let round = 1; round <= count; round += 1) {
    await ripe(to);
    events.push(...(await seedEvents(store, [to], 1)));
    expect(await deliverBatch(to)).toEqual(events.slice(-1));
  }
  return events;
}

/** Index entries of pending deliveries that were read so far, dead ones included. */
async function entriesRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(store.db);
  const { rows } = await sql<{ read: number }>`
    select idx_tup_read::int as read from pg_stat_user_indexes where indexrelname = 'deliveries_pending'`.execute(
    store.db,
  );
  return rows[0]?.read ?? 0;
}

async function connected(): Promise<Client> {
  const client = new Client({ connectionString: store.connectionString });
  await client.connect();
  return client;
}

/** Inserts an event of a resource with its delivery, in the transaction of the client. Returns its id. */
async function insert(client: Client, to: SeededDestination, resourceId: string): Promise<string> {
  const event = newId('evt');
  await client.query(
    `insert into events (id, account_id, type, resource_id, payload, created_at, commitment)
     values ($1, $2, 'ip_policy_updated.v0', $3, '{"object":{}}', now(), '')`,
    [event, accountId, resourceId],
  );
  await client.query(
    'insert into deliveries (event_id, destination_id, account_id, created_at) values ($1, $2, $3, now())',
    [event, to.id, accountId],
  );
  return event;
}

it('lets a claim read few entries, however many were delivered since the oldest snapshot', async () => {
  const to = await destination();
  const holder = await connected();
  await holder.query('begin isolation level repeatable read');
  await holder.query('select 1 from deliveries limit 1');
  try {
    await seedEvents(store, [to], 16 * BATCH);
    for (let batch = 1; batch <= 14; batch += 1) {
      await deliverBatch(to);
      await ripe(to);
    }
    const before = await entriesRead();
    expect((await claim(to))?.events).toHaveLength(BATCH);
    // Its own batch and the two before it. The snapshot counts up to a small batch first.
    expect((await entriesRead()) - before).toBeLessThanOrEqual(3 * BATCH + SMALL_BATCH + 10);
  } finally {
    await holder.query('rollback');
    await holder.end();
  }
});

it('stays below a delivery whose transaction commits late, so that it goes before later changes of its resource', async () => {
  const to = await destination();
  const writer = await connected();
  await writer.query('begin');
  const late = await insert(writer, to, 'ipp_late');
  const { rows } = await writer.query<{ id: string }>('select id from deliveries where event_id = $1', [late]);
  for (let round = 1; round <= 5; round += 1) {
    await seedEvents(store, [to], 1);
    expect(await deliverBatch(to)).toHaveLength(1);
  }
  expect((await laneOf(store, to.id)).floor_id).toBeLessThan(Number(rows[0]?.id));
  await writer.query('commit');
  const next = await insert(writer, to, 'ipp_late');
  await writer.end();
  expect(await deliverBatch(to)).toEqual([late, next]);
  const numbers = new Map((await deliveriesOf(store, to.id)).map((row) => [row.event_id, row.sequence]));
  expect([numbers.get(late), numbers.get(next)]).toEqual([6, 7]);
});

it('advances again once the late transaction has ended, also by a rollback', async () => {
  const to = await destination();
  const writer = await connected();
  await writer.query('begin');
  await insert(writer, to, 'ipp_undone');
  for (let round = 1; round <= 3; round += 1) {
    await seedEvents(store, [to], 1);
    await deliverBatch(to);
  }
  const held = (await laneOf(store, to.id)).floor_id;
  await writer.query('rollback');
  await writer.end();
  await deliverSingly(to, 3);
  expect((await laneOf(store, to.id)).floor_id).toBeGreaterThan(held);
});

it('is lowered by a redelivery', async () => {
  const to = await destination();
  const events = await deliverSingly(to, 5);
  const [first = '', second = ''] = events;
  const found = await redeliveries.find(accountId, to.id, [first, second]);
  expect((await laneOf(store, to.id)).floor_id).toBeGreaterThanOrEqual(found.get(second)?.id ?? 0);
  expect(await redeliveries.redeliver(to.id, [found.get(first) ?? { id: 0, eventId: first }])).toBe(1);
  expect(await deliverBatch(to)).toEqual([first]);
});

it('is not raised over a redelivery by a batch that was claimed from an older snapshot', async () => {
  const to = await destination();
  const [first = ''] = await seedEvents(store, [to], 1);
  await deliverBatch(to);
  await deliverSingly(to, 3);
  await seedEvents(store, [to], BATCH);
  const claimed = await claim(to);
  if (!claimed) throw new Error('nothing was claimed');
  const waiting = await seedEvents(store, [to], 1);
  const { settlement } = await deliveredSettlement(claimed.lease);
  // The redelivery has locked the lane when the settlement takes its snapshot, and commits while it waits for the lock.
  const redelivering = await connected();
  await redelivering.query('begin');
  await redelivering.query(
    `update delivery_lanes set revision = revision + 1, floor_id = 0, next_floor_id = null, next_floor_xid = null
     where destination_id = $1`,
    [to.id],
  );
  await redelivering.query(
    `with reopened as (
       delete from finished_deliveries where event_id = $1
       returning id, event_id, destination_id, account_id, sequence, created_at
     )
     insert into deliveries (id, event_id, destination_id, account_id, sequence, created_at) overriding system value
     select * from reopened`,
    [first],
  );
  const next = { batchId: newId('bat'), token: newId('att') };
  const settling = lanes.advance({ recorded: { lease: claimed.lease, settlement }, current: null, next }, MINUTE);
  const watcher = await connected();
  await expect
    .poll(async () => {
      const { rows } = await watcher.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      return rows.length;
    })
    .toBe(1);
  await redelivering.query('commit');
  const went = await settling;
  if (went.kind !== 'advanced' || !went.next) throw new Error(`did not go on: ${went.kind}`);
  const after = await deliveredSettlement(went.next);
  expect(after.deliveries.map(({ event }) => event.id)).toEqual(waiting);
  expect(await lanes.settle(went.next, after.settlement)).toBe('settled');
  expect(await deliverBatch(to)).toEqual([first]);
  await redelivering.end();
  await watcher.end();
});

it('loses nothing and keeps each resource in order while writers commit out of order', async () => {
  const to = await destination();
  const own = newId('ipp');
  await store.pool.query('create table changed (resource text primary key, version int not null default 0)');
  const resources = Array.from({ length: 6 }, (_, index) => `${own}_${index}`);
  await store.pool.query('insert into changed (resource) select unnest($1::text[])', [resources]);
  const recorded: { event: string; resource: string; version: number }[] = [];
  let writing = 5;
  const write = async (seed: number): Promise<void> => {
    const client = await connected();
    for (let change = 0; change < 40; change += 1) {
      await client.query('begin');
      const resource = resources[(seed + change * 7) % resources.length] ?? '';
      const { rows } = await client.query<{ version: number }>(
        'update changed set version = version + 1 where resource = $1 returning version',
        [resource],
      );
      const event = await insert(client, to, resource);
      // Some transactions stay open for long after they have drawn their id.
      await sleep(change % 10 === seed ? 150 : (seed * 13 + change * 5) % 11);
      await client.query(change % 9 === 8 ? 'rollback' : 'commit');
      if (change % 9 !== 8) recorded.push({ event, resource, version: rows[0]?.version ?? 0 });
    }
    await client.end();
    writing -= 1;
  };
  const arrived: string[] = [];
  const deliver = async (): Promise<void> => {
    for (;;) {
      const isLast = writing === 0;
      const claimed = await claim(to);
      if (!claimed) {
        if (isLast) return;
        await sleep(1);
        continue;
      }
      let { lease } = claimed;
      for (;;) {
        const { deliveries, settlement } = await deliveredSettlement(lease);
        arrived.push(...deliveries.map(({ event }) => event.id));
        const next = { batchId: newId('bat'), token: newId('att') };
        const went = await lanes.advance({ recorded: { lease, settlement }, current: null, next }, MINUTE);
        if (went.kind !== 'advanced' || !went.next) break;
        lease = went.next;
      }
    }
  };
  await Promise.all([...[1, 2, 3, 4, 5].map(write), deliver()]);
  expect(new Set(arrived)).toEqual(new Set(recorded.map(({ event }) => event)));
  expect(arrived).toHaveLength(recorded.length);
  const of = new Map(recorded.map((one) => [one.event, one]));
  for (const resource of resources) {
    const versions = arrived.flatMap((event) => {
      const one = of.get(event);
      return one?.resource === resource ? [one.version] : [];
    });
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
  }
  expect((await laneOf(store, to.id)).floor_id).toBeGreaterThan(0);
});
