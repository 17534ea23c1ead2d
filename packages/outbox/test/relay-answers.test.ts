import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { record, rejectedEvents } from '../src/index.js';
import {
  countOf,
  orderEvent,
  recordAll,
  revisionsOf,
  startTestRelay,
  until,
  type TestRelay,
} from './support/relay-fixture.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { problem, startWaybillStub, type StubAnswer, type WaybillStub } from './support/waybill-stub.js';

const WILL_RETRY = 'outbox batch will be sent again';
const CANNOT_PUBLISH = 'outbox relay cannot publish: check its settings';

let database: TestDatabase;
let waybill: WaybillStub;
let relay: TestRelay | null = null;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  waybill = await startWaybillStub();
});
afterEach(async () => {
  await relay?.stop();
  relay = null;
  await waybill.close();
  await database.clear();
});
afterAll(() => database.close());

/** Answers the first requests so, and accepts the others. */
const first = (times: number, answer: StubAnswer) =>
  waybill.answer((_, request) => (request <= times ? answer : 'accept'));

const begin = (options: Parameters<typeof startTestRelay>[2] = {}) =>
  (relay = startTestRelay(database.pool, waybill.url, options));

describe('a request', () => {
  it('has the key, the version and the recorded ids', async () => {
    await record(database.pool, { ...orderEvent('a', 1), principal: { id: 'user-7' }, request: { ip: '192.0.2.7' } });
    const { rows } = await database.pool.query('select event_id from waybill_outbox.events');
    await begin().drained();
    expect(waybill.headers[0]).toMatchObject({
      authorization: 'Bearer test_key',
      'service-version': '2',
      'content-type': 'application/json',
    });
    expect(waybill.stored).toEqual([
      {
        id: rows[0].event_id,
        type: 'order_created.v0',
        resource_id: 'a',
        object: { revision: 1 },
        principal: { id: 'user-7' },
        request: { ip: '192.0.2.7' },
        occurred_at: expect.any(String) as string,
      },
    ]);
  });

  it('has at most 500 events and less than 2 MiB, in order, one at a time', async () => {
    await recordAll(
      database.pool,
      Array.from({ length: 1_200 }, (_, n) =>
        orderEvent(`r${n % 7}`, n + 1, n < 150 ? { text: 'é'.repeat(20_000) } : {}),
      ),
    );
    await begin().drained();
    expect(waybill.stored.map(({ object }) => object['revision'])).toEqual(
      Array.from({ length: 1_200 }, (_, n) => n + 1),
    );
    expect(Math.max(...waybill.batches.map((batch) => batch.length))).toBe(500);
    expect(Math.max(...waybill.texts.map((text) => Buffer.byteLength(text)))).toBeLessThan(2_097_152);
    expect(Math.max(...waybill.texts.map((text) => Buffer.byteLength(text)))).toBeGreaterThan(1_900_000);
    expect(waybill.mostAtOnce()).toBe(1);
  });

  it('has at most batchSize events', async () => {
    await recordAll(database.pool, [orderEvent('a', 1), orderEvent('a', 2), orderEvent('a', 3)]);
    await begin({ batchSize: 2 }).drained();
    expect(waybill.batches.map((batch) => batch.length)).toEqual([2, 1]);
  });

  it('goes to the path of the url', async () => {
    await record(database.pool, orderEvent('a', 1));
    relay = startTestRelay(database.pool, `${waybill.url}/audit/`, {});
    await relay.drained();
    expect(waybill.stored).toHaveLength(1);
  });

  it('carries numbers as they were recorded', async () => {
    await database.pool.query(
      `select waybill_outbox.waybill_record('{"type": "order_created.v0", "resource_id": "a", "object": {"rate": 0.1234567890123456789}}')`,
    );
    await begin().drained();
    expect(waybill.texts[0]).toContain('"rate": 0.1234567890123456789');
  });
});

describe('an answer without a clear result', () => {
  it.each<[string, StubAnswer]>([
    ['a connection that is reset', 'reset'],
    ['a connection that is reset after the batch was stored', 'store_and_reset'],
    ['500', problem(500, 'internal_error')],
    ['503 of a proxy', { status: 503, body: '<html>' }],
    ['429', problem(429, 'rate_limited')],
    ['202 that is not JSON', { status: 202, body: 'ok' }],
    ['202 without results', { status: 202, body: { events: [] } }],
    ['202 with other members', { status: 202, body: { events: [{ id: 1 }, {}] } }],
  ])('is repeated with the same ids: %s', async (_, answer) => {
    await recordAll(database.pool, [orderEvent('a', 1), orderEvent('a', 2)]);
    first(1, answer);
    const { drained, logged } = begin();
    await drained();
    expect(revisionsOf(waybill.stored)).toEqual(['a 1', 'a 2']);
    const ids = waybill.batches.map((batch) => batch.map(({ id }) => id));
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(logged(WILL_RETRY)).toHaveLength(1);
    expect(await countOf(database.pool, 'events')).toBe(0);
  });

  it.each<[string, StubAnswer, number, string]>([
    ['no answer', 'hang', 1_500, 'Waybill did not answer within 1.5 s'],
    ['408', problem(408, 'request_timeout'), 120_000, 'Waybill answered 408: request_timeout: refused'],
    ['503', problem(503, 'unavailable'), 120_000, 'Waybill answered 503: unavailable: refused'],
  ])('is repeated with fewer events where time was short: %s', async (_, answer, requestTimeoutMs, reason) => {
    await recordAll(database.pool, [orderEvent('a', 1), orderEvent('a', 2)]);
    first(1, answer);
    const { drained, logged } = begin({ requestTimeoutMs });
    await drained();
    expect(waybill.batches.map(revisionsOf)).toEqual([['a 1', 'a 2'], ['a 1'], ['a 2']]);
    expect(logged(WILL_RETRY)[0]?.fields['reason']).toBe(reason);
  });

  it('is repeated no earlier than Retry-After says', async () => {
    await record(database.pool, orderEvent('a', 1));
    first(1, { status: 503, headers: { 'retry-after': '1' } });
    await begin().drained();
    const [one = 0, two = 0] = waybill.times;
    expect(two - one).toBeGreaterThanOrEqual(900);
  });

  it('is repeated after longer and longer times', async () => {
    await record(database.pool, orderEvent('a', 1));
    first(3, { status: 500 });
    const { drained, logged } = begin();
    await drained();
    const waits = logged(WILL_RETRY).map(({ fields }) => Number(fields['waitMs']));
    for (const [n, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(125 * 2 ** n);
      expect(wait).toBeLessThanOrEqual(250 * 2 ** n);
    }
  });
});

describe('an answer about the settings', () => {
  it.each<[string, StubAnswer, RegExp]>([
    ['401', problem(401, 'credentials_invalid'), /401: credentials_invalid.*Check the API key/],
    ['403', problem(403, 'role_not_allowed'), /403: role_not_allowed.*Check the API key/],
    ['404', problem(404, 'route_not_found'), /404: route_not_found.*Check the url/],
    ['400 about the version', problem(400, 'service_version_unsupported'), /400: service_version_unsupported/],
    ['400 of a proxy', { status: 400, body: 'plain HTTP' }, /400: the answer is not one of Waybill/],
    ['200 of another service', { status: 200, body: '{}' }, /200: the answer is not one of Waybill/],
    [
      'a redirect',
      { status: 308, headers: { location: 'https://example.com/events' } },
      /308.*redirect to https:\/\/example\.com\/events: set the url/,
    ],
  ])('rejects nothing, is logged and shown in status: %s', async (_, answer, reason) => {
    await recordAll(database.pool, [orderEvent('a', 1), orderEvent('b', 1)]);
    waybill.answer(() => answer);
    const { drained, logged, status } = begin();
    await until(() => logged(CANNOT_PUBLISH).length >= 1, 'the error is logged');
    expect(logged(CANNOT_PUBLISH)[0]).toMatchObject({
      level: 'error',
      fields: { reason: expect.stringMatching(reason) },
    });
    await until(async () => reason.test((await status()).lastError ?? ''), 'status shows the error');
    expect(await status()).toMatchObject({ waiting: 2, rejected: 0, published: 0 });
    waybill.answer(() => 'accept');
    await drained();
    expect(await status()).toMatchObject({ waiting: 0, rejected: 0, published: 2, lastError: null });
  });

  it('keeps an event that a proxy refuses as too large', async () => {
    await recordAll(database.pool, [orderEvent('a', 1), orderEvent('b', 1)]);
    waybill.answer(() => ({ status: 413, body: 'too large' }));
    const { drained, logged } = begin();
    await until(() => logged(CANNOT_PUBLISH).length >= 2, 'the error is logged again');
    expect(logged(CANNOT_PUBLISH)[0]?.fields['reason']).toMatch(/A proxy in front of Waybill/);
    waybill.answer(() => 'accept');
    await drained();
    expect(waybill.stored).toHaveLength(2);
  });
});

it('a refusal whose reason is cut within a character is stored', async () => {
  await recordAll(database.pool, [orderEvent('a', 1), orderEvent('b', 1)]);
  const errors = [{ pointer: '/events/0/object', detail: `${'a'.repeat(999)}😀` }];
  first(1, problem(400, 'invalid_input', { errors }));
  const { drained, status } = begin();
  await drained();
  expect(await status()).toMatchObject({ waiting: 0, rejected: 1, published: 1 });
});

it('a refusal with the longest pointers is read', async () => {
  await recordAll(
    database.pool,
    Array.from({ length: 51 }, (_, n) => orderEvent(`r${n}`, 1)),
  );
  const pointer = (index: number) => `/events/${index}/object/${'~0'.repeat(65_536)}`;
  const errors = Array.from({ length: 50 }, (_, index) => ({ pointer: pointer(index), detail: 'is unknown' }));
  first(1, problem(400, 'invalid_input', { errors }));
  const { drained, status } = begin();
  await drained();
  expect(await status()).toMatchObject({ waiting: 0, rejected: 50, published: 1 });
});

describe('events with one id', () => {
  const insert = (resourceId: string, position?: string) =>
    database.pool.query(
      `insert into waybill_outbox.events (event_id, event${position ? ', position' : ''})
       values ('11111111-1111-4111-8111-111111111111', $1${position ? `, ${position}` : ''})`,
      [{ type: 'order_created.v0', resource_id: resourceId, object: { revision: 1 } }],
    );
  const refuseOrders = () =>
    waybill.answer((batch) => {
      const errors = batch.flatMap(({ resource_id: id }, index) =>
        id.startsWith('same') ? [{ pointer: `/events/${index}/id`, detail: 'was used' }] : [],
      );
      return errors.length > 0 ? problem(409, 'event_id_reused', { errors }) : 'accept';
    });

  it('do not stop the others', async () => {
    await insert('same-1');
    await insert('same-2');
    await record(database.pool, orderEvent('b', 1));
    refuseOrders();
    const { drained, status } = begin();
    await drained();
    expect(await status()).toMatchObject({ waiting: 0, rejected: 2, published: 1 });
  });

  it('do not stop the others where a rejected event came back with a part of a backup', async () => {
    await insert('same-1', '7');
    refuseOrders();
    await begin().drained();
    await relay?.stop();
    await insert('same-1', '7');
    await record(database.pool, orderEvent('b', 1));
    const { drained, status } = begin();
    await drained();
    await until(async () => (await status()).published === 1, 'the other event is published');
    expect(await status()).toMatchObject({ waiting: 0, rejected: 1 });
  });
});

describe('a batch that is too large for a proxy', () => {
  it('is sent in parts', async () => {
    const events = Array.from({ length: 100 }, (_, n) => orderEvent('a', n + 1, { text: 'x'.repeat(5_000) }));
    await recordAll(database.pool, events);
    waybill.answer((batch) => (batch.length > 30 ? { status: 413, body: 'too large' } : 'accept'));
    await begin().drained();
    expect(waybill.stored.map(({ object }) => object['revision'])).toEqual(events.map((_, n) => n + 1));
  });
});

describe('an event without a principal', () => {
  it('is rejected and not sent where the relay requires one, and can be repaired', async () => {
    const principal = { id: 'user-7' };
    await record(database.pool, [orderEvent('a', 1), { ...orderEvent('a', 2), principal }]);
    await record(database.pool, { ...orderEvent('b', 1), principal });
    const { drained } = begin({ requirePrincipal: true });
    await drained();
    expect(revisionsOf(waybill.stored)).toEqual(['b 1']);
    expect(waybill.batches).toHaveLength(1);
    const [rejected] = await rejectedEvents(database.pool).list();
    expect(rejected).toMatchObject({ resourceId: 'a', status: null, errorCode: 'principal_missing', holds: true });
    const { eventId } = rejected ?? { eventId: '' };
    const event = JSON.parse((await rejectedEvents(database.pool).event(eventId)) ?? '') as object;
    const edit = { by: 'ada', reason: 'the import is hers' };
    await rejectedEvents(database.pool).repair(eventId, JSON.stringify({ ...event, principal: { id: 'ada' } }), edit);
    await drained();
    expect(revisionsOf(waybill.stored)).toEqual(['b 1', 'a 1', 'a 2']);
  });

  it('is sent by default', async () => {
    await record(database.pool, orderEvent('a', 1));
    await begin().drained();
    expect(revisionsOf(waybill.stored)).toEqual(['a 1']);
  });
});
