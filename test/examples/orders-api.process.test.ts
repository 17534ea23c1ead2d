import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@waybill/embedded-postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { registerTypes, writePublisherKey } from '../../examples/orders-api/src/waybill/set-up.js';
import { WaybillApi } from '../../examples/orders-api/src/waybill/waybill-api.js';
import { startTestOrdersApi, type TestOrdersApi } from '../../examples/orders-api/test/test-orders-api.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let waybill: TestApi;
let orders: TestOrdersApi;
let admin: WaybillApi;
let folder: string;
beforeAll(async () => {
  [waybill, orders, folder] = await Promise.all([
    startTestApi(),
    startTestOrdersApi(inject('postgresUrl')),
    mkdtemp(join(tmpdir(), 'waybill-orders-')),
  ]);
  admin = new WaybillApi(waybill.admin.baseUrl, String(waybill.admin.token));
});
afterAll(async () => {
  await Promise.all([waybill.close(), orders.close(), rm(folder, { recursive: true, force: true })]);
});

test('the setup can be repeated: it keeps the types and the key', async () => {
  const file = join(folder, 'publisher-key');
  const setUp = async () => {
    await registerTypes(admin);
    await writePublisherKey(admin, file);
    return readFile(file, 'utf8');
  };
  const key = await setUp();
  expect(await setUp()).toBe(key);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const { body } = await waybill.admin.get('/event_types');
  const types = (body.event_types as { type: string; origin: string }[])
    .filter(({ origin }) => origin === 'registered')
    .map(({ type }) => type);
  expect(types.toSorted()).toEqual([
    'customer_created.v0',
    'customer_deleted.v0',
    'customer_updated.v0',
    'order_cancelled.v0',
    'order_created.v0',
    'order_updated.v0',
    'payment_created.v0',
    'payment_deleted.v0',
    'payment_updated.v0',
  ]);
});

test('Waybill accepts every event that the orders API records', async () => {
  await registerTypes(admin);
  const file = join(folder, 'key-of-the-relay');
  await writePublisherKey(admin, file);
  const publisher = waybill.client(await readFile(file, 'utf8'));

  const lines = [{ sku: 'A-1', quantity: 3, unit_cents: 100 }];
  const customer = await orders.create('/customers', {
    name: 'Ada',
    email: 'ada@customers.example',
    credit_limit_cents: 5_000,
  });
  await orders.send('PATCH', `/customers/${customer}`, { credit_limit_cents: 9_000 });
  const order = await orders.create('/orders', { customer_id: customer, lines });
  await orders.create(`/orders/${order}/payments`, { method: 'card', amount_cents: 100, provider_token: 'tok' });
  const cancelled = await orders.create('/orders', { customer_id: customer, lines });
  await orders.send('PATCH', `/orders/${cancelled}`, { lines: [...lines, ...lines] });
  await orders.send('POST', `/orders/${cancelled}/cancel`);
  await orders.client.query(`update payments set status = 'failed', revision = revision + 1`);
  await orders.client.query('delete from payments');
  const passing = await orders.create('/customers', { name: 'B', email: 'b@customers.example', credit_limit_cents: 0 });
  await orders.send('DELETE', `/customers/${passing}`);

  const recorded = await orders.recorded();
  const events = recorded.map(({ event_id: id, event }) => ({ id, ...event }));
  const { status, text, body } = await publisher.post('/events', { events });
  expect(status, text).toBe(202);
  const results = body.events as { event_id: string }[];
  expect(results).toHaveLength(events.length);
  expect(new Set(recorded.map(({ type }) => type)).size).toBe(9);
  const updatedAt = recorded.findIndex(({ type }) => type === 'customer_updated.v0');
  const stored = await waybill.admin.get(`/events/${results[updatedAt]?.event_id}`);
  expect(stored.body.payload).toMatchObject({
    principal: { id: 'user-7', subject: 'Ada', via: expect.anything() },
    object: { email: null, credit_limit_cents: 9_000 },
    changes: { before: { credit_limit_cents: 5_000 }, after: { credit_limit_cents: 9_000 } },
  });
  expect(text + JSON.stringify(events)).not.toContain('"tok"');
});

test('the setup says which request failed, and why', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const failure = registerTypes(new WaybillApi(baseUrl, 'key'));
  await expect(failure).rejects.toThrow(`GET ${baseUrl}/resource_types failed: connect ECONNREFUSED`);
  await expect(failure).rejects.toThrow('Check WAYBILL_URL.');
});
