import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { migrate } from '../src/database/migrate.js';
import { startTestOrdersApi, type RecordedEvent, type TestOrdersApi } from './test-orders-api.js';

let orders: TestOrdersApi;
beforeAll(async () => {
  orders = await startTestOrdersApi(inject('postgresUrl'));
});
afterAll(() => orders.close());
beforeEach(() => orders.client.query('delete from waybill_outbox.events'));

const send: TestOrdersApi['send'] = (method, path, body) => orders.send(method, path, body);
const create: TestOrdersApi['create'] = (path, body) => orders.create(path, body);
const recorded = (): Promise<readonly RecordedEvent[]> => orders.recorded();

const newCustomer = (limit = 10_000) =>
  create('/customers', { name: 'Ada', email: 'ada@example.com', credit_limit_cents: limit });
const linesOf = (cents: number) => [{ sku: 'A-1', quantity: 2, unit_cents: cents / 2 }];
const newOrder = async (cents: number) =>
  create('/orders', { customer_id: await newCustomer(), lines: linesOf(cents) });

describe('the orders API', () => {
  test('records the event of a change in its transaction, with the caller', async () => {
    const id = await newCustomer();
    await send('PATCH', `/customers/${id}`, { name: 'Ada L.' });
    await send('DELETE', `/customers/${id}`);
    const events = await recorded();
    expect(events.map(({ type, resource_id: resource }) => [type, resource])).toEqual([
      ['customer_created.v0', id],
      ['customer_updated.v0', id],
      ['customer_deleted.v0', id],
    ]);
    expect(events[1]?.event.object).toMatchObject({ id, name: 'Ada L.', revision: 2 });
    expect(events[1]?.event.principal).toEqual({ id: 'user-7', subject: 'Ada' });
    expect(events[1]?.event.request).toMatchObject({ id: expect.any(String) });
  });

  test('rolls the event back with the change', async () => {
    const customer = await newCustomer(100);
    const { status } = await send('POST', '/orders', { customer_id: customer, lines: linesOf(200) });
    expect(status).toBe(409);
    expect((await recorded()).map(({ type }) => type)).toEqual(['customer_created.v0']);
    const id = await newOrder(100);
    expect(await send('POST', `/orders/${id}/payments`, { method: 'card', amount_cents: 500 })).toMatchObject({
      status: 409,
    });
    expect((await recorded()).filter(({ type }) => type.startsWith('payment'))).toEqual([]);
  });

  test('records a payment through the trigger, and its order by hand, without the provider token', async () => {
    const order = await newOrder(100);
    const payment = await create(`/orders/${order}/payments`, {
      method: 'card',
      amount_cents: 100,
      provider_token: 'secret-token',
    });
    await send('POST', `/payments/${payment}/settle`);
    const events = await recorded();
    expect(events.slice(-3).map(({ type }) => type)).toEqual([
      'payment_created.v0',
      'order_updated.v0',
      'payment_updated.v0',
    ]);
    expect(events.at(-2)?.event.object).toMatchObject({ id: order, status: 'paid', paid_cents: 100 });
    const settled = events.at(-1)?.event;
    expect(settled?.changes).toMatchObject({ before: { status: 'pending' }, after: { status: 'settled' } });
    expect(settled?.principal).toEqual({ id: 'user-7', subject: 'Ada' });
    expect(JSON.stringify(events)).not.toContain('secret-token');
  });

  test('records plain SQL changes of payments', async () => {
    const order = await newOrder(100);
    const payment = await create(`/orders/${order}/payments`, { method: 'transfer', amount_cents: 50 });
    await orders.client.query('delete from payments where id = $1', [payment]);
    expect((await recorded()).at(-1)).toMatchObject({ type: 'payment_deleted.v0', resource_id: payment });
  });

  test('records an order from its creation to its cancellation', async () => {
    const id = await newOrder(100);
    expect(await send('PATCH', `/orders/${id}`, { lines: linesOf(300) })).toMatchObject({ status: 200 });
    expect(await send('POST', `/orders/${id}/cancel`)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(await send('POST', `/orders/${id}/cancel`)).toMatchObject({ status: 409 });
    const events = await recorded();
    expect(events.slice(1).map(({ type }) => type)).toEqual([
      'order_created.v0',
      'order_updated.v0',
      'order_cancelled.v0',
    ]);
    expect(await send('GET', `/orders/${id}`)).toMatchObject({ body: { total_cents: 300, revision: 3 } });
  });

  test('refuses invalid input and unknown ids, and records nothing', async () => {
    expect(await send('POST', '/customers', { name: '' })).toMatchObject({ status: 400 });
    expect(await send('PATCH', '/customers/no-uuid', { name: 'x' })).toMatchObject({ status: 400 });
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect(await send('PATCH', `/customers/${unknown}`, { name: 'x' })).toMatchObject({ status: 404 });
    expect(await send('POST', '/orders', { customer_id: unknown, lines: linesOf(2) })).toMatchObject({ status: 404 });
    expect(await recorded()).toEqual([]);
  });

  test('can be migrated again', async () => {
    await migrate(orders.databaseUrl);
    await newCustomer();
    expect(await recorded()).toHaveLength(1);
  });
});
