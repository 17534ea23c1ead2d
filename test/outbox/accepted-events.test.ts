import { installOutbox, record, transaction, triggerSql, type OutboxEvent } from '@waybill/outbox';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { JsonObject, TestResponse } from '../support/api-client.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  // A database is as good as any other for an outbox.
  await installOutbox(api.store.pool);
  await api.admin.create('/resource_types', { name: 'order' });
});
beforeEach(() => api.store.pool.query('truncate waybill_outbox.events'));
afterAll(() => api.close());

/** Publishes what the outbox holds, as the relay does. */
async function publish(): Promise<TestResponse> {
  const { rows } = await api.store.pool.query<{ id: string; event: JsonObject }>(
    'select event_id as id, event from waybill_outbox.events order by position',
  );
  return api.admin.post('/events', { events: rows.map(({ id, event }) => ({ ...event, id })) });
}

async function lastEvent(): Promise<JsonObject> {
  const { body } = await api.admin.get('/events?limit=1&type=order_created.v0');
  const [last] = body.events as { payload: JsonObject }[];
  return last?.payload ?? {};
}

const created: OutboxEvent = { type: 'order_created.v0', resourceId: 'order-1', object: { total: 1200 } };

/** Nested objects, the outermost counted. */
function nested(levels: number): object {
  return levels === 1 ? {} : { a: nested(levels - 1) };
}

it.each<[string, Partial<OutboxEvent>]>([
  ['every member', { principal: { id: 'user-7', subject: 'Ada' }, occurredAt: new Date() }],
  [
    'the longest texts',
    { resourceId: '😀'.repeat(255), principal: { id: '😀'.repeat(255), subject: 'é'.repeat(900) } },
  ],
  ['the longest headers', { request: { id: 'x'.repeat(900), ip: 'x'.repeat(900), userAgent: 'x'.repeat(9_000) } }],
  ['no text at all', { principal: { id: '1', subject: '' }, request: { id: '', ip: '', userAgent: '' } }],
  ['24 levels', { object: nested(24) }],
  ['odd members', { object: { '': 1, 'a.b': [null, { $ref: 'x' }], 'é\u0001"\\': '\u2028😀' } }],
  ['odd numbers', { object: { a: [Number.MAX_SAFE_INTEGER, -0.1, 5e-324, 1e-7, 123_456.789] } }],
  ['a large object', { object: { a: '😀'.repeat(13_500) } }],
  ['changes that do not fit', { changes: { before: { a: 'x'.repeat(60_000) }, after: { a: 'y'.repeat(60_000) } } }],
])('POST /events accepts what the outbox accepts: %s', async (_, part) => {
  await record(api.store.pool, { ...created, ...part });
  const { status, body } = await publish();
  expect([status, body.errors]).toEqual([202, undefined]);
  expect((await lastEvent())['object']).toEqual(JSON.parse(JSON.stringify(part.object ?? created.object)));
});

it('POST /events accepts rows of every type that a trigger records', async () => {
  await api.store.pool.query(`create table orders (id bigint primary key, total numeric, ratio double precision,
    bytes bytea, at timestamptz, span interval, tags text[], document jsonb, price money, address inet, none text)`);
  await api.store.pool.query(triggerSql({ table: 'orders', type: 'order' }));
  await transaction(api.store.pool, { principal: { id: 'user-7' }, request: { ip: '::1' } }, (client) =>
    client.query(`insert into orders values (9223372036854775807, 12345678901234567890.12, 'Infinity', '\\x00ff', now(),
      '1 month -2 days', '{a,null}', '{"a": [1e400, 9007199254740993, {"b": 1.10}]}', '5.50', '::1', null)`),
  );
  const { status, body } = await publish();
  expect([status, body.errors]).toEqual([202, undefined]);
  expect(await lastEvent()).toMatchObject({
    principal: { id: 'user-7' },
    object: {
      id: '9223372036854775807',
      total: '12345678901234567890.12',
      ratio: 'Infinity',
      document: { a: [`1${'0'.repeat(400)}`, '9007199254740993', { b: 1.1 }] },
    },
  });
});

it.each<[string, unknown]>([
  ['an unknown shape of the type', { type: 'order', resource_id: '1', object: {} }],
  ['an empty id', { type: 'order_created.v0', resource_id: '', object: {} }],
  ['25 levels', { type: 'order_created.v0', resource_id: '1', object: nested(25) }],
  ['a rounded number', { type: 'order_created.v0', resource_id: '1', object: { a: 2 ** 53 } }],
  ['another member', { type: 'order_created.v0', resource_id: '1', object: {}, extra: 1 }],
  ['a principal without id', { type: 'order_created.v0', resource_id: '1', object: {}, principal: {} }],
  ['a time of 1970', { type: 'order_created.v0', resource_id: '1', object: {}, occurred_at: '1970-01-01T00:00:00Z' }],
  ['an object that is too large', { type: 'order_created.v0', resource_id: '1', object: { a: 'x'.repeat(57_344) } }],
])('POST /events refuses what the outbox refuses: %s', async (_, event) => {
  const recorded = api.store.pool.query('select waybill_outbox.waybill_record($1::text::jsonb)', [
    JSON.stringify(event),
  ]);
  await expect(recorded).rejects.toThrow('Event 0 was not recorded: ');
  expect((await api.admin.post('/events', { events: [event] })).status).toBeGreaterThanOrEqual(400);
});
