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

  it('publishes what committed before the oldest open transaction began to write', async () => {
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
    // Now the id of the second event is below every running one, and the id of the first is not.
    start();
    await untilLooked();
    expect(published()).toEqual([]);
    await open.query('commit');
    await relay.drained();
    expect(published()).toEqual(['a 1', 'a 2']);
  });

  it('takes rows that were restored from a dump of another cluster', async () => {
    await inTransaction(database.pool, async (client) => {
      await record(client, [orderEvent('a', 1), orderEvent('a', 2)]);
      await client.query(`update waybill_outbox.events set transaction_id = '999999999999'`);
    });
    await record(database.pool, orderEvent('a', 3));
    start();
    await relay.drained();
    expect(published()).toEqual(['a 1', 'a 2', 'a 3']);
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

  it('names the transaction that delays it', async () => {
    const slow = await begin();
    const { rows } = await slow.query<{ pid: number }>('select pg_backend_pid() as pid, pg_current_xact_id()');
    await record(database.pool, orderEvent('a', 1));
    start();
    // The server may have transactions of other tests. They are short.
    const isNamed = async () => (await relay.status()).waitingFor?.pid === rows[0]?.pid;
    await until(isNamed, 'status shows the transaction');
    const { waitingFor, waiting } = await relay.status();
    expect(waiting).toBe(1);
    expect(waitingFor).toMatchObject({ pid: rows[0]?.pid, prepared: null });
    expect(waitingFor?.ageMs).toBeGreaterThan(0);
    await slow.query('rollback');
    await relay.drained();
    expect((await relay.status()).waitingFor).toBeNull();
  });
});
