import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { record } from '../src/index.js';
import { orderEvent, revisionsOf, startTestRelay, until, type TestRelay } from './support/relay-fixture.js';
import { createTestDatabase, inTransaction, type TestDatabase } from './support/test-database.js';
import { startWaybillStub, type WaybillStub } from './support/waybill-stub.js';

let database: TestDatabase;
let waybill: WaybillStub;
let relay: TestRelay;
const clients: pg.PoolClient[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
  waybill = await startWaybillStub();
});
afterEach(async () => {
  await relay.stop();
  for (const client of clients.splice(0)) client.release(true);
  await waybill.close();
  await database.close();
});

/** Begins a transaction that the test ends. */
async function begin(): Promise<pg.PoolClient> {
  const client = await database.pool.connect();
  clients.push(client);
  await client.query('begin');
  return client;
}

const start = () => (relay = startTestRelay(database.pool, waybill.url));
const published = () => revisionsOf(waybill.stored);

/** Waits until the relay has looked at the outbox at least twice more. */
async function untilLooked(): Promise<void> {
  const looks = async () => {
    const { rows } = await database.pool.query<{ scans: string }>(
      `select coalesce(sum(idx_scan) + sum(seq_scan), 0) as scans from pg_stat_user_tables where relname = 'events'`,
    );
    return Number(rows[0]?.scans);
  };
  const before = await looks();
  await until(async () => (await looks()) >= before + 4, 'the relay looked at the outbox');
}

describe('the order of what is published', () => {
  it('does not skip or overtake a slow transaction with a lower position', async () => {
    const slow = await begin();
    await record(slow, orderEvent('a', 1));
    await record(database.pool, orderEvent('a', 2));
    await record(database.pool, orderEvent('b', 1));
    start();
    await untilLooked();
    expect(published()).toEqual([]);
    await slow.query('commit');
    await relay.drained();
    expect(published()).toEqual(['a 1', 'a 2', 'b 1']);
  });

  it('publishes what was recorded before the oldest open transaction recorded', async () => {
    await record(database.pool, orderEvent('a', 1));
    const slow = await begin();
    await record(slow, orderEvent('b', 1));
    start();
    await until(() => published().length === 1, 'the first event is published');
    await slow.query('rollback');
    await record(database.pool, orderEvent('a', 2));
    await relay.drained();
    expect(published()).toEqual(['a 1', 'a 2']);
  });

  it('is that of positions where a transaction got its id long before it recorded', async () => {
    const early = await begin();
    await early.query('select pg_current_xact_id()');
    const open = await begin();
    await open.query('select pg_current_xact_id()');
    // Its id is higher, and it locks and records first.
    await record(database.pool, orderEvent('a', 1));
    await record(early, orderEvent('a', 2));
    await early.query('commit');
    start();
    await relay.drained();
    expect(published()).toEqual(['a 1', 'a 2']);
    await open.query('commit');
  });

  it('takes rows of a dump that was restored without its sequence', async () => {
    await record(database.pool, [orderEvent('a', 1), orderEvent('a', 2)]);
    await database.pool.query('alter sequence waybill_outbox.events_position_seq restart');
    start();
    await relay.drained();
    expect(published()).toEqual(['a 1', 'a 2']);
    await record(database.pool, orderEvent('a', 3));
    await relay.drained();
    expect(published()).toEqual(['a 1', 'a 2', 'a 3']);
  });

  it('is that of positions after the sequence went back, as in a failover', async () => {
    start();
    await record(database.pool, [orderEvent('x', 1), orderEvent('x', 2), orderEvent('x', 3)]);
    await relay.drained();
    await database.pool.query('alter sequence waybill_outbox.events_position_seq restart');
    await record(database.pool, orderEvent('a', 1));
    let queries = 0;
    database.pool.on('acquire', () => (queries += 1));
    // Two for a look, two for the lease, and one of a look that had begun.
    await until(() => queries >= 8, 'the relay looked at the outbox');
    await database.pool.query(`select setval('waybill_outbox.events_position_seq', 10)`);
    await record(database.pool, orderEvent('a', 2));
    await until(() => published().includes('a 2'), 'the last event is published');
    expect(published()).toEqual(['x 1', 'x 2', 'x 3', 'a 1', 'a 2']);
  });

  it('is that of positions after a failover, where the sequence has gone on meanwhile', async () => {
    start();
    await record(database.pool, [orderEvent('x', 1), orderEvent('x', 2), orderEvent('x', 3)]);
    await relay.drained();
    await database.pool.query('alter table waybill_outbox.events rename to gone');
    await until(() => relay.logged('outbox database is not usable').length > 0, 'the outage is noticed');
    await inTransaction(database.pool, async (client) => {
      await client.query('alter table waybill_outbox.gone rename to events');
      await client.query('insert into waybill_outbox.events (position, event) values (1, $1)', [
        { type: 'order_created.v0', resource_id: 'a', object: { revision: 1 } },
      ]);
      await record(client, orderEvent('a', 2));
    });
    await until(() => published().includes('a 2'), 'the last event is published');
    expect(published()).toEqual(['x 1', 'x 2', 'x 3', 'a 1', 'a 2']);
  });

  it('does not publish what a savepoint rolled back', async () => {
    await inTransaction(database.pool, async (client) => {
      await record(client, orderEvent('a', 1));
      await client.query('savepoint s');
      await record(client, orderEvent('a', 99));
      await client.query('rollback to s');
      await client.query('savepoint s');
      await record(client, orderEvent('a', 2));
      await client.query('release s');
    });
    start();
    await relay.drained();
    expect(published()).toEqual(['a 1', 'a 2']);
  });

  it('waits for a prepared transaction, and names it', async () => {
    const client = await begin();
    await client.query('set local waybill.notify = off');
    await client.query('savepoint s');
    await record(client, orderEvent('a', 1));
    const name = `outbox_test_${randomUUID()}`;
    await client.query(`prepare transaction '${name}'`);
    await record(database.pool, orderEvent('a', 2));
    start();
    await untilLooked();
    expect(published()).toEqual([]);
    expect((await relay.status()).waitingFor).toMatchObject({ pid: null, prepared: name });
    await client.query(`commit prepared '${name}'`);
    await relay.drained();
    expect(published()).toEqual(['a 1', 'a 2']);
  });

  it('needs one lock for each transaction, whose savepoints may be rolled back', async () => {
    const locks = async () => {
      const { rows } = await database.pool.query<{ above: string }>(
        'select above from waybill_outbox.recording_transactions() order by above',
      );
      return rows.map(({ above }) => Number(above));
    };
    start();
    await record(database.pool, orderEvent('x', 1));
    const client = await begin();
    await client.query('savepoint s');
    await record(client, [orderEvent('a', 97), orderEvent('a', 98)]);
    await record(client, orderEvent('a', 99));
    expect(await locks()).toEqual([1]);
    await client.query('rollback to s');
    expect(await locks()).toEqual([]);
    await client.query('savepoint t');
    await record(client, orderEvent('a', 1));
    await client.query('release t');
    await record(client, orderEvent('a', 2));
    await client.query('savepoint u');
    await record(client, orderEvent('a', 99));
    await client.query('rollback to u');
    await record(client, orderEvent('a', 3));
    expect(await locks()).toEqual([4]);
    await record(database.pool, orderEvent('b', 1));
    await untilLooked();
    expect(published()).toEqual(['x 1']);
    await client.query('commit');
    expect(await locks()).toEqual([]);
    await relay.drained();
    expect(published()).toEqual(['x 1', 'a 1', 'a 2', 'a 3', 'b 1']);
  });

  it('does not look again at each commit while an open transaction delays all', async () => {
    const slow = await begin();
    await record(slow, orderEvent('b', 1));
    const writer = await database.pool.connect();
    clients.push(writer);
    relay = startTestRelay(database.pool, waybill.url, { pollIntervalMs: 600_000 });
    await until(() => relay.logged('outbox relay publishes').length > 0, 'it publishes');
    let queries = 0;
    database.pool.on('acquire', () => (queries += 1));
    for (let revision = 1; revision <= 300; revision += 1) await record(writer, orderEvent('a', revision));
    expect(queries).toBeLessThan(100);
    await slow.query('commit');
    await until(() => published().length === 301, 'all are published');
  });

  it('names the transaction that delays it', async () => {
    const slow = await begin();
    const { rows } = await slow.query<{ pid: number }>('select pg_backend_pid() as pid');
    await record(slow, orderEvent('b', 1));
    await record(database.pool, orderEvent('a', 1));
    start();
    const { waitingFor, waiting } = await relay.status();
    expect(waiting).toBe(1);
    expect(waitingFor).toMatchObject({ pid: rows[0]?.pid, prepared: null });
    expect(waitingFor?.ageMs).toBeGreaterThan(0);
    await slow.query('rollback');
    await relay.drained();
    expect((await relay.status()).waitingFor).toBeNull();
  });
});
