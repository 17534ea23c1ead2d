import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { record, rejectedEvents, triggerSql } from '../src/index.js';
import { orderEvent, revisionsOf, startTestRelay } from './support/relay-fixture.js';
import { createTestDatabase, inTransaction, recordedEvents } from './support/test-database.js';
import { problem, startWaybillStub } from './support/waybill-stub.js';

/** Returns the statements of the README that give rights to the role `from`, for another role. */
async function documentedGrants(from: 'relay' | 'migrator', role: string): Promise<string> {
  const readme = await readFile(path.resolve(import.meta.dirname, '../README.md'), 'utf8');
  const grants = readme.match(new RegExp(`^ *grant [^;]* to ${from};`, 'gm')) ?? [];
  expect(grants).not.toHaveLength(0);
  return grants.join('').replaceAll(` to ${from};`, ` to ${role};`);
}

it('the relay needs the documented grants and no more', async () => {
  const database = await createTestDatabase();
  const waybill = await startWaybillStub((batch) =>
    batch[0]?.resource_id === 'a'
      ? problem(400, 'invalid_input', { errors: [{ pointer: '/events/0/object', detail: 'refused' }] })
      : 'accept',
  );
  const role = `outbox_relay_${randomBytes(6).toString('hex')}`;
  await database.pool.query(`create role ${role} login password 'relay'; ${await documentedGrants('relay', role)}`);
  const url = new URL(database.url);
  url.username = role;
  url.password = 'relay';
  const pool = new pg.Pool({ connectionString: url.href });
  pool.on('error', () => undefined);
  const relay = startTestRelay(pool, waybill.url);
  try {
    await record(database.pool, [orderEvent('a', 1), orderEvent('a', 2), orderEvent('b', 1)]);
    await relay.drained();
    expect(await relay.status()).toMatchObject({ published: 1, rejected: 1, held: 1 });
    const [rejected] = await rejectedEvents(pool).list();
    waybill.answer(() => 'accept');
    expect(await rejectedEvents(pool).retry([String(rejected?.eventId)])).toBe(1);
    await relay.drained();
    expect(revisionsOf(waybill.stored)).toEqual(['b 1', 'a 1', 'a 2']);
    expect(await rejectedEvents(pool).discard([String(rejected?.eventId)])).toBe(0);

    await inTransaction(database.pool, async (slow) => {
      await record(slow, orderEvent('d', 1));
      await record(database.pool, orderEvent('c', 1));
      expect((await relay.status()).waitingFor?.pid).toBeTypeOf('number');
    });
    await relay.drained();
    expect(relay.logged('outbox database is not usable')).toEqual([]);
  } finally {
    await relay.stop();
    await pool.end();
    await waybill.close();
    await database.pool.query(`drop owned by ${role}; drop role ${role}`);
    await database.close();
  }
});

it('who creates triggers needs no more than the documented grants', async () => {
  const database = await createTestDatabase();
  const role = `outbox_migrator_${randomBytes(6).toString('hex')}`;
  try {
    await database.pool.query(`create role ${role}; ${await documentedGrants('migrator', role)}; create schema shop;
      create table shop.orders (id integer); alter table shop.orders owner to ${role}; grant usage on schema shop to ${role}`);
    await inTransaction(database.pool, async (client) => {
      await client.query(`set local role ${role}`);
      await client.query(triggerSql({ table: 'shop.orders', type: 'order' }));
      await client.query('insert into shop.orders values (1)');
    });
    expect(await recordedEvents(database.pool)).toMatchObject([{ type: 'order_created.v0', resource_id: '1' }]);
  } finally {
    await database.pool.query(`drop owned by ${role}; drop role ${role}`);
    await database.close();
  }
});
