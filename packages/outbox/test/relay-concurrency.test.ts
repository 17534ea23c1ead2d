import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { record } from '../src/index.js';
import { orderEvent, outOfOrder, revisionsOf, startTestRelay, type TestRelay } from './support/relay-fixture.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { startWaybillStub, type WaybillStub } from './support/waybill-stub.js';

let database: TestDatabase;
let waybill: WaybillStub;
beforeEach(async () => {
  database = await createTestDatabase();
  await database.pool.query('create table orders (id text primary key, revision int not null)');
  await database.pool.query('create table ledger (resource_id text, revision int)');
  waybill = await startWaybillStub();
});
afterEach(async () => {
  await waybill.close();
  await database.close();
});

const WRITERS = 5;
const RESOURCES = 6;
const TRANSACTIONS = 60;

const chance = (probability: number) => Math.random() < probability;
const anOrder = () => `r${Math.floor(Math.random() * RESOURCES)}`;

/** Changes an order, and records the event and what a later check expects, in the transaction. */
async function change(client: pg.PoolClient, id: string): Promise<void> {
  const { rows } = await client.query<{ revision: number }>(
    `insert into orders values ($1, 1) on conflict (id) do update set revision = orders.revision + 1 returning revision`,
    [id],
  );
  const revision = rows[0]?.revision ?? 0;
  await record(client, orderEvent(id, revision));
  await client.query('insert into ledger values ($1, $2)', [id, revision]);
}

/** A transaction of random changes, savepoints and pauses, that may be prepared, and may roll back. */
async function randomTransaction(client: pg.PoolClient): Promise<void> {
  const end = chance(0.25) ? 'rollback' : 'commit';
  const prepared = chance(0.1) ? `outbox_test_${randomUUID()}` : null;
  await client.query('begin');
  if (prepared) await client.query('set local waybill.notify = off');
  // Some get an id early, and record late.
  if (chance(0.3)) await client.query('select pg_current_xact_id()');
  if (chance(0.3)) await sleep(Math.random() * 30);
  // In one order, so that no two wait for each other.
  const orders = [...new Set(Array.from({ length: 1 + Math.floor(Math.random() * 3) }, anOrder))].toSorted();
  for (const id of orders) {
    await client.query('savepoint s');
    await change(client, id);
    if (chance(0.3)) await client.query('rollback to savepoint s');
    else if (chance(0.5)) await client.query('release savepoint s');
    if (chance(0.3)) await sleep(Math.random() * 10);
  }
  if (prepared) {
    await client.query(`prepare transaction '${prepared}'`);
    await sleep(Math.random() * 50);
  }
  await client.query(prepared ? `${end} prepared '${prepared}'` : end);
}

async function write(pool: pg.Pool): Promise<void> {
  for (let n = 0; n < TRANSACTIONS; n += 1) {
    const client = await pool.connect();
    try {
      await randomTransaction(client);
    } finally {
      client.release();
    }
  }
}

/** Opens a transaction that has written, and has recorded nothing. */
async function bystander(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin; create temporary table written (n int); insert into written values (1)');
  return client;
}

describe('random transactions side by side', () => {
  it('commit no event at or below a position that was settled', async () => {
    const writers = new pg.Pool({ connectionString: database.url, max: WRITERS });
    const looks: { readonly settled: string; readonly seen: string }[] = [];
    const count = async (settled: string) => {
      const { rows } = await database.pool.query<{ seen: string }>(
        'select count(*) as seen from waybill_outbox.events where position <= $1',
        [settled],
      );
      return rows[0]?.seen ?? '';
    };
    const written = new AbortController();
    const reader = (async () => {
      while (!written.signal.aborted) {
        const { rows } = await database.pool.query<{ settled: string }>(
          'select waybill_outbox.settled_position() as settled',
        );
        const settled = rows[0]?.settled ?? '';
        looks.push({ settled, seen: await count(settled) });
      }
    })();
    await Promise.all(Array.from({ length: WRITERS }, () => write(writers)));
    written.abort();
    await reader;
    await writers.end();
    const settled = [...new Set(looks.map((look) => look.settled))];
    const final = new Map<string, string>();
    for (const position of settled) final.set(position, await count(position));
    expect(looks.filter((look) => look.seen !== final.get(look.settled))).toEqual([]);
    // It moved all the time, and to the end.
    expect(settled.length).toBeGreaterThan(20);
    const { rows } = await database.pool.query<{ all: boolean }>(
      'select waybill_outbox.settled_position() = waybill_outbox.last_position() as all',
    );
    expect(rows).toEqual([{ all: true }]);
  });

  it('lose no event, publish none that was rolled back, keep the order of each resource, and wait for nobody else', async () => {
    // Some requests fail before, and some after they were stored.
    waybill.answer(() => (chance(0.1) ? 'reset' : chance(0.1) ? 'store_and_reset' : 'accept'));
    const elsewhere = await createTestDatabase({ installed: false });
    const bystanders = await Promise.all([bystander(database.url), bystander(elsewhere.url)]);
    const done = new AbortController();
    const relays: TestRelay[] = [];
    const begin = () =>
      relays.push(startTestRelay(database.pool, waybill.url, { batchSize: 1 + Math.floor(Math.random() * 30) }));
    const turns = (async () => {
      begin();
      while (!done.signal.aborted) {
        begin();
        await sleep(Math.random() * 200);
        await relays.shift()?.stop();
      }
    })();
    const writers = new pg.Pool({ connectionString: database.url, max: WRITERS });
    await Promise.all(Array.from({ length: WRITERS }, () => write(writers)));
    await writers.end();
    done.abort();
    await turns;
    await relays[0]?.drained();
    await Promise.all(relays.map(({ stop }) => stop()));
    await Promise.all(bystanders.map((client) => client.end()));
    await elsewhere.close();

    const { rows } = await database.pool.query<{ name: string }>(
      `select resource_id || ' ' || revision as name from ledger order by resource_id, revision`,
    );
    const committed = rows.map(({ name }) => name);
    expect(committed.length).toBeGreaterThan(100);
    expect([...revisionsOf(waybill.stored)].toSorted()).toEqual(committed.toSorted());
    expect(outOfOrder(waybill.stored)).toEqual([]);
  });
});
