import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publishingLimits } from '../../src/events/publishing/publishing-limits.js';
import { PruneStore } from '../../src/events/retention/prune-store.js';
import { timeOfId } from '../../src/ids/id-time.js';
import type { JsonObject, TestClient, TestResponse } from '../support/api-client.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
let publisher: TestClient;
let publisherKeyId: string;
beforeAll(async () => {
  api = await startTestApi();
  const key = await api.admin.create('/api_keys', { role: 'publisher' });
  publisher = api.client(String(key.token));
  publisherKeyId = key.id;
  await api.admin.create('/resource_types', { name: 'order', schema: orderSchema, changes: 'computed' });
  await api.admin.create('/resource_types', {
    name: 'payment',
    actions: ['created', 'updated', 'deleted', 'refunded'],
    redact: ['/card/number', '/notes/*/text'],
  });
  await api.admin.create('/resource_types', { name: 'secretive', redact: ['/pin'], changes: 'computed' });
});
afterAll(() => api.close());

const orderSchema = {
  type: 'object',
  properties: { total: { type: 'integer', minimum: 0 }, note: { type: ['string', 'null'] } },
  required: ['total'],
  additionalProperties: false,
};

let next = 0;
beforeEach(() => {
  next += 1;
});

/** An id of a resource of this test only. */
const own = (name = 'r') => `${name}-${next}`;

function order(action: string, total: number, more: JsonObject = {}): JsonObject {
  return { type: `order_${action}.v0`, resource_id: own(), object: { total }, ...more };
}

async function publish(...events: readonly unknown[]): Promise<TestResponse> {
  return publisher.post('/events', { events });
}

/** Publishes, and returns the results. */
async function accepted(...events: readonly unknown[]): Promise<{ event_id: string; duplicate: boolean }[]> {
  const { status, body, text } = await publish(...events);
  expect(status, text).toBe(202);
  return body.events as { event_id: string; duplicate: boolean }[];
}

async function payloadOf(eventId: string | undefined): Promise<JsonObject> {
  const { body } = await api.admin.get(`/events/${eventId}`);
  return body.payload as JsonObject;
}

async function payloads(...events: readonly unknown[]): Promise<JsonObject[]> {
  return Promise.all((await accepted(...events)).map(({ event_id }) => payloadOf(event_id)));
}

async function stored(): Promise<{ events: number; resources: number }> {
  const { rows } = await api.store.pool.query<{ events: number; resources: number }>(
    'select (select count(*) from events)::int as events, (select count(*) from published_resources)::int as resources',
  );
  return rows[0] ?? { events: 0, resources: 0 };
}

/** Expects a refusal that stores nothing. */
async function refused(events: readonly unknown[], status: number, code: string): Promise<TestResponse> {
  const before = await stored();
  const response = await publish(...events);
  expect([response.status, response.body.error_code], response.text.slice(0, 2_000)).toEqual([status, code]);
  expect(await stored()).toEqual(before);
  return response;
}

function errorsIn({ body }: TestResponse): unknown {
  return (body.errors as { pointer: string; detail: string }[]).map(({ pointer, detail }) => [pointer, detail]);
}

describe('a published event', () => {
  it('is an event of the account, with the actor and the key that published', async () => {
    const [payload] = await payloads({
      ...order('created', 5),
      principal: { id: 'user-7', subject: 'Ada' },
      request: { id: 'req-1', ip: '192.0.2.7', user_agent: 'browser' },
      occurred_at: '2026-11-22T10:00:00+02:00',
    });
    const via = { id: publisherKeyId, uri: `${api.baseUrl}/api_keys/${publisherKeyId}` };
    expect(payload).toMatchObject({
      event_type: 'order_created.v0',
      account_id: api.accountId,
      resource_id: own(),
      principal: { id: 'user-7', subject: 'Ada', credential: null, via },
      version: 1,
      object: { total: 5 },
      request: {
        operation_id: expect.stringMatching(/^op_/) as string,
        id: 'req-1',
        ip: '192.0.2.7',
        user_agent: 'browser',
      },
      occurred_at: '2026-11-22T10:00:00+02:00',
    });
    expect(payload).not.toHaveProperty('changes');
    const [plain] = await payloads({ ...order('created', 5), resource_id: own('other') });
    expect(plain).not.toHaveProperty('repaired');
    expect(plain?.request).toMatchObject({ ip: null });
    const { events } = (await api.admin.get('/events?limit=1')).body as {
      events: { type: string; resource_id: string }[];
    };
    expect(events).toMatchObject([{ type: 'order_created.v0', resource_id: own('other') }]);
  });

  it('has a user agent that is cut between characters, and is found by its address', async () => {
    const ip = '192.0.2.99';
    const userAgent = `${'a'.repeat(255)}😀`;
    const [payload] = await payloads({ ...order('created', 5), request: { ip, user_agent: userAgent } });
    expect(payload?.request).toMatchObject({ user_agent: 'a'.repeat(255) });
    const { events } = (await api.admin.get(`/events?ip=${ip}`)).body as { events: readonly unknown[] };
    expect(events).toHaveLength(1);
  });

  it('without a principal says so, and never names the owner of the key', async () => {
    const via = { id: publisherKeyId, uri: `${api.baseUrl}/api_keys/${publisherKeyId}` };
    const [{ event_id: eventId } = {}] = await accepted(order('created', 5));
    const unknown = { id: 'unknown', subject: 'unknown', credential: null, via };
    expect((await payloadOf(eventId)).principal).toEqual(unknown);
    const { events } = (await api.admin.get('/events?principal_id=unknown&limit=1')).body as {
      events: { id: string }[];
    };
    expect(events.map(({ id }) => id)).toEqual([eventId]);
  });

  it('that was repaired names who changed it, why and when', async () => {
    const repaired = { by: 'Ada', reason: 'the total was negative', at: new Date().toISOString() };
    const [{ event_id: eventId } = {}] = await accepted(order('created', 5, { id: own('fixed'), repaired }));
    expect((await payloadOf(eventId)).repaired).toEqual(repaired);
    await accepted(order('created', 5, { id: own('fixed'), repaired }));
    await refused([order('created', 5, { id: own('fixed') })], 409, 'event_id_reused');
    await accepted({ ...order('created', 5), resource_id: own('plain') });
    const { status, text, body } = await api.admin.post('/event_subscriptions/preview', {
      type: 'order_created.v0',
      filter: 'has(repaired.by) && repaired.by == "Ada"',
      limit: 2,
    });
    expect(status, text).toBe(200);
    expect(body.events).toMatchObject([
      { matches: false, error: null },
      { matches: true, error: null },
    ]);
  });

  it('has a version that counts the events of its resource, also after a deletion', async () => {
    const versions = await payloads(
      order('created', 1),
      order('updated', 2),
      { ...order('created', 9), resource_id: own('other') },
      order('deleted', 2),
      order('created', 3),
    );
    expect(versions.map(({ version }) => version)).toEqual([1, 2, 1, 3, 4]);
    const [later] = await payloads(order('updated', 4));
    expect(later).toMatchObject({ version: 5, changes: { before: { total: 3 }, after: { total: 4 } } });
  });

  it('of a type with computed changes has the changed members since the last event', async () => {
    const changes = async (event: JsonObject) => (await payloads(event))[0]?.changes;
    expect(await changes(order('updated', 1))).toBeUndefined();
    const noted = order('updated', 1, { object: { total: 1, note: 'x' } });
    expect(await changes(noted)).toEqual({ before: {}, after: { note: 'x' } });
    expect(await changes(noted)).toEqual({ before: {}, after: {} });
    expect(await changes(order('updated', 2))).toEqual({ before: { total: 1, note: 'x' }, after: { total: 2 } });
    expect(await changes(order('deleted', 2))).toBeUndefined();
    expect(await changes(order('updated', 7))).toBeUndefined();
    const given = { before: { total: 7 }, after: { total: 8 } };
    expect(await changes(order('updated', 9, { changes: given }))).toEqual(given);
    expect(await changes(order('updated', 10))).toEqual({ before: { total: 9 }, after: { total: 10 } });
    const pins = { type: 'secretive_updated.v0', resource_id: own(), object: { pin: '2' } };
    const shown = { before: { pin: null }, after: { pin: null } };
    expect(await changes({ ...pins, changes: { before: { pin: '1' }, after: { pin: '2' } } })).toEqual(shown);
  });

  it('of another type has the changes that the publisher gives', async () => {
    const changes = { before: { card: { number: '1', bank: 'a' } }, after: { card: { number: '2', bank: 'b' } } };
    const refund = { type: 'payment_refunded.v0', resource_id: own(), object: {}, changes };
    expect((await payloads(refund))[0]?.changes).toEqual({
      before: { card: { number: null, bank: 'a' } },
      after: { card: { number: null, bank: 'b' } },
    });
    const [row] = (await api.store.pool.query('select object from published_resources where resource_id = $1', [own()]))
      .rows as JsonObject[];
    expect(row).toEqual({ object: null });
  });

  it('holds nothing that the type redacts, wherever it is stored', async () => {
    const hidden = `hidden-${next}`;
    const object = { card: { number: hidden, bank: 'b' }, notes: [{ text: hidden }, { text: hidden, by: 'x' }] };
    const [payload] = await payloads(
      { id: own('hide'), type: 'payment_created.v0', resource_id: own(), object },
      { type: 'secretive_created.v0', resource_id: own(), object: { pin: hidden, open: 1 } },
    );
    expect(payload?.object).toEqual({
      card: { number: null, bank: 'b' },
      notes: [{ text: null }, { text: null, by: 'x' }],
    });
    const { rows } = await api.store.pool.query(
      'select e::text as row from events e union all select p::text from published_resources p',
    );
    expect(JSON.stringify(rows)).not.toContain(hidden);
  });

  it('holds nothing that the type redacts where a value has another form than the pointer, also in changes', async () => {
    const hidden = `hidden-${next}`;
    const forms = [hidden, [hidden], [{ number: hidden }], { number: { of: hidden } }];
    const found = await payloads(
      ...forms.map((card) => ({
        type: 'payment_updated.v0',
        resource_id: own(),
        object: { card, notes: hidden },
        changes: { before: { card, notes: [hidden] }, after: { card, notes: { 0: hidden } } },
      })),
    );
    expect(found).toHaveLength(forms.length);
    expect(JSON.stringify(found)).not.toContain(hidden);
  });

  it('holds nothing that a later version of the type redacts, at once', async () => {
    const { id } = await api.admin.create('/resource_types', { name: `version_${next}`, redact: ['/a'] });
    const event = (version: number) => ({
      type: `version_${next}_created.v${version}`,
      resource_id: own(),
      object: { a: 'a', pin: '1111' },
    });
    const [before] = await payloads(event(0));
    expect(before?.object).toEqual({ a: null, pin: '1111' });
    expect((await api.admin.patch(`/resource_types/${id}`, { version: 1, redact: ['/pin'] })).status).toBe(200);
    const after = await payloads(event(0), event(1));
    expect(after.map(({ object }) => object)).toEqual([
      { a: null, pin: null },
      { a: 'a', pin: null },
    ]);
  });

  it('reports no member of the event before that its own version redacts', async () => {
    const name = `versions_${next}`;
    const { id } = await api.admin.create('/resource_types', { name, redact: ['/a'], changes: 'computed' });
    await api.admin.patch(`/resource_types/${id}`, { version: 1, redact: ['/pin'] });
    const event = (version: number, n: number) => ({
      type: `${name}_updated.v${version}`,
      resource_id: own(),
      object: { a: 'secret', n },
    });
    const [, second] = await payloads(event(1, 1), event(0, 2));
    expect(second).toMatchObject({ object: { a: null, n: 2 }, changes: { before: { n: 1 }, after: { n: 2 } } });
    expect(JSON.stringify(second)).not.toContain('secret');
  });

  it('reports no member of the last object that is redacted by now', async () => {
    const { id } = await api.admin.create('/resource_types', { name: `late_${next}`, changes: 'computed' });
    const event = (pin: string) => ({ type: `late_${next}_updated.v0`, resource_id: own(), object: { pin, n: pin } });
    await accepted(event('1111'));
    await api.admin.patch(`/resource_types/${id}`, { redact: ['/pin'] });
    const [payload] = await payloads(event('2222'));
    expect(payload).toMatchObject({ object: { pin: null }, changes: { before: { n: '1111' }, after: { n: '2222' } } });
  });
});

describe('an id of a publisher', () => {
  it('makes an event idempotent, whatever the order of its members', async () => {
    const event = {
      id: own('id'),
      type: 'payment_created.v0',
      resource_id: own(),
      object: { a: 1, b: [1, { c: 2, d: 3 }] },
    };
    const again = {
      object: { b: [1, { d: 3, c: 2 }], a: 1 },
      resource_id: own(),
      type: event.type,
      id: event.id,
      changes: null,
    };
    const [first] = await accepted(event);
    const before = await stored();
    expect(await accepted(again)).toEqual([{ event_id: first?.event_id, duplicate: true }]);
    expect(await stored()).toEqual(before);
    expect(await accepted(again, { ...event, id: own('id2') }, event)).toMatchObject([
      { event_id: first?.event_id, duplicate: true },
      { duplicate: false },
      { event_id: first?.event_id, duplicate: true },
    ]);
  });

  it('used twice in a batch is one event, and a conflict with other content', async () => {
    const event = order('created', 1, { id: own('id') });
    const [first, second] = await accepted(event, event);
    expect([first?.duplicate, second]).toEqual([false, { event_id: first?.event_id, duplicate: true }]);
    const other = order('created', 1, { id: own('twice') });
    const response = await refused([other, { ...other, object: { total: 2 } }], 409, 'event_id_reused');
    expect(errorsIn(response)).toEqual([
      ['/events/1/id', expect.stringContaining('/events/0 of this request') as string],
    ]);
  });

  it('with other content is a conflict that names it and the first event, and stores nothing', async () => {
    const event = order('created', 1, { id: own('id') });
    const [first] = await accepted(event);
    for (const other of [
      { object: { total: 2 } },
      { resource_id: 'x' },
      { type: 'order_updated.v0' },
      { principal: { id: 'x' } },
      { occurred_at: new Date().toISOString() },
    ]) {
      const response = await refused([order('updated', 7), { ...event, ...other }], 409, 'event_id_reused');
      expect(response.body.conflicts).toEqual([first?.event_id]);
      expect(errorsIn(response)).toEqual([
        ['/events/1/id', `the id "${own('id')}" was used for ${first?.event_id}, which has other content`],
      ]);
    }
  });

  it('of several publishers at the same time is one event', async () => {
    const event = order('created', 1, { id: own('race') });
    const results = (await Promise.all(Array.from({ length: 12 }, () => accepted(event)))).flat();
    expect(new Set(results.map(({ event_id }) => event_id)).size).toBe(1);
    expect(results.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
  });

  it('belongs to its account, and is free after the retention of events', async () => {
    const event = { id: own('id'), type: 'order_created.v0', resource_id: own(), object: { total: 1 } };
    const [first] = await accepted(event);
    const stranger = await api.addAccount();
    await stranger.create('/resource_types', { name: 'order' });
    const theirs = await stranger.post('/events', { events: [{ ...event, object: { any: 1 } }] });
    expect(theirs.body).toMatchObject({ events: [{ duplicate: false }] });
    const ageMs = Date.now() - timeOfId(first?.event_id ?? '').getTime();
    const pruning = new PruneStore(api.store.db);
    const again = { ...event, object: { total: 2 } };
    const retention = (eventsMs: number) => ({ deliveredMs: 0, undeliveredMs: 0, eventsMs });
    await pruning.publisherIds(retention(ageMs + 60_000), '', 100);
    expect((await publish(again)).status).toBe(409);
    await pruning.publisherIds(retention(0), '', 100);
    expect(await accepted(again)).toMatchObject([{ duplicate: false }]);
  });

  it('is independent of the Idempotency-Key of a request', async () => {
    const send = (body: unknown) => publisher.post('/events', body, { 'idempotency-key': own('key') });
    const events = [order('created', 1)];
    const first = await send({ events });
    const replayed = await send({ events });
    expect([replayed.status, replayed.body]).toEqual([202, first.body]);
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
  });
});

describe('many publishers', () => {
  it('of the same resources in different orders lose nothing, and count every version once', async () => {
    const ids = Array.from({ length: 8 }, (_, index) => own(`hot${index}`));
    const batches = Array.from({ length: 40 }, (_, batch) => {
      const turned = [...ids.slice(batch % ids.length), ...ids.slice(0, batch % ids.length)];
      return (batch % 2 === 0 ? turned : turned.toReversed()).map((id) => ({
        ...order('updated', batch),
        resource_id: id,
      }));
    });
    const lanes = Array.from({ length: 8 }, (_, lane) => batches.filter((_batch, index) => index % 8 === lane));
    await Promise.all(
      lanes.map(async (lane) => {
        for (const batch of lane) await accepted(...batch);
      }),
    );
    const { rows } = await api.store.pool.query<{ versions: number[] }>(
      `select array_agg((payload::json ->> 'version')::int order by id) as versions from events
       where resource_id = any($1) group by resource_id`,
      [ids],
    );
    expect(rows).toHaveLength(ids.length);
    for (const { versions } of rows) expect(versions).toEqual(batches.map((_, index) => index + 1));
  });
});

describe('a batch with an error', () => {
  it('is refused with pointers to the errors of all events, and stores nothing', async () => {
    const response = await refused(
      [
        order('created', 1),
        order('created', -1),
        order('refunded', 1),
        order('created', 1, { type: 'nothing_created.v0' }),
        order('created', 1, { type: 'ip_policy_created.v0' }),
        order('created', 1, { type: 'order_created.v7' }),
        order('created', 1, { object: { total: 1, colour: 'red' } }),
        order('created', 1, { occurred_at: '2001-01-01T00:00:00Z' }),
        order('created', 1, { occurred_at: new Date(Date.now() + 3_600_000).toISOString() }),
      ],
      400,
      'invalid_input',
    );
    const unknown = expect.stringContaining('is not an event type') as string;
    expect(errorsIn(response)).toEqual([
      ['/events/1/object/total', expect.any(String)],
      ['/events/2/type', unknown],
      ['/events/3/type', unknown],
      ['/events/4/type', unknown],
      ['/events/5/type', unknown],
      ['/events/6/object/colour', 'is unknown'],
      ['/events/7/occurred_at', expect.stringContaining('366 days behind the clock of Waybill')],
      ['/events/8/occurred_at', expect.stringContaining('5 minutes ahead of the clock of Waybill')],
    ]);
  });

  it.each<[what: string, event: JsonObject, pointer: string]>([
    ['no resource', { resource_id: '' }, '/events/0/resource_id'],
    ['a long resource id', { resource_id: 'x'.repeat(256) }, '/events/0/resource_id'],
    ['a long id', { id: 'x'.repeat(256) }, '/events/0/id'],
    ['an empty id', { id: '' }, '/events/0/id'],
    ['a list as object', { object: [] }, '/events/0/object'],
    ['a number that a parser rounds', { object: { total: 2 ** 60 } }, '/events/0/object/total'],
    ['an unknown member', { colour: 1 }, '/events/0/colour'],
    ['a principal without id', { principal: { subject: 'x' } }, '/events/0/principal/id'],
    ['the id of Waybill itself', { principal: { id: 'system', subject: 'x' } }, '/events/0/principal/id'],
    ['its subject', { principal: { id: 'x', subject: 'system:operator' } }, '/events/0/principal/subject'],
    ['its subject as id', { principal: { id: 'system:operator' } }, '/events/0/principal/id'],
    ['its id in capitals', { principal: { id: 'System', subject: 'x' } }, '/events/0/principal/id'],
    ['its id with spaces', { principal: { id: ' system\u00a0', subject: 'x' } }, '/events/0/principal/id'],
    [
      'its id in full width',
      { principal: { id: '\uff53\uff59\uff53\uff54\uff45\uff4d', subject: 'x' } },
      '/events/0/principal/id',
    ],
    [
      'its id with unseen characters',
      { principal: { id: 'sys\u200btem\ufeff', subject: 'x' } },
      '/events/0/principal/id',
    ],
    [
      'its subject in other forms',
      { principal: { id: 'x', subject: 'SYS\u00adTEM\uff1aoperator' } },
      '/events/0/principal/subject',
    ],
    ['nobody in other forms', { principal: { id: 'Un\u2060known ', subject: 'x' } }, '/events/0/principal/id'],
    ['the id of nobody', { principal: { id: 'unknown', subject: 'x' } }, '/events/0/principal/id'],
    ['a repair without a reason', { repaired: { by: 'x', at: '2026-11-22T10:00:00Z' } }, '/events/0/repaired/reason'],
    [
      'a long reason',
      { repaired: { by: 'x', reason: 'x'.repeat(1_001), at: '2026-11-22T10:00:00Z' } },
      '/events/0/repaired/reason',
    ],
    [
      'a repair to come',
      { repaired: { by: 'x', reason: 'x', at: new Date(Date.now() + 3_600_000).toISOString() } },
      '/events/0/repaired/at',
    ],
    ['a time without zone', { occurred_at: '2026-11-22T10:00:00' }, '/events/0/occurred_at'],
    ['a time that does not exist', { occurred_at: '2026-02-30T10:00:00Z' }, '/events/0/occurred_at'],
    ['NUL in the id', { id: 'a\0' }, '/events/0/id'],
    ['an unpaired surrogate', { object: { total: 1, note: '\ud800' } }, '/events/0/object/note'],
    [
      'deep nesting',
      { object: { a: Array.from({ length: 26 }).reduce<unknown>((inner) => [inner], 1) } },
      '/events/0/object',
    ],
  ])('with %s is refused at its pointer', async (_, event, pointer) => {
    const response = await refused([order('created', 1, event)], 400, 'invalid_input');
    expect(errorsIn(response)).toContainEqual([pointer, expect.any(String)]);
  });

  it('in JSON that a parser would change is refused', async () => {
    const before = await stored();
    for (const [object, pointer] of [
      ['{"total":1e400}', '/events/0/object'],
      ['{"__proto__":{"total":1}}', '/events/0/object/__proto__'],
      ['{"a":{"__proto__":1}}', '/events/0/object/a/__proto__'],
    ] as const) {
      const body = `{"events":[{"type":"payment_created.v0","resource_id":"x","object":${object}}]}`;
      const response = await publisher.send('POST', '/events', body);
      expect([response.status, errorsIn(response)]).toEqual([400, [[pointer, expect.any(String)]]]);
    }
    expect(await stored()).toEqual(before);
  });

  it('of more values than the event loop parses in a turn are refused, and a full batch of many members is accepted', async () => {
    const wide = (members: number) =>
      Object.fromEntries(Array.from({ length: members }, (_, index) => [`member_${index}`, 0]));
    const batch = (count: number, members: number) =>
      Array.from({ length: count }, () => ({ type: 'payment_created.v0', resource_id: own(), object: wide(members) }));
    await refused(batch(40, 3_300), 413, 'body_too_large');
    expect(await accepted(...batch(39, 3_300))).toHaveLength(39);
    expect(await accepted(...batch(500, 250))).toHaveLength(500);
  });

  it('whose computed changes are much larger than their objects are refused together, and accepted in parts', async () => {
    const event = (index: number, object: JsonObject) => ({
      type: 'secretive_updated.v0',
      resource_id: own(`large-${index}`),
      object,
    });
    const large = Array.from({ length: 200 }, (_, index) => event(index, { text: 'x'.repeat(48_000) }));
    for (let from = 0; from < large.length; from += 40) await accepted(...large.slice(from, from + 40));
    const small = Array.from({ length: 200 }, (_, index) => event(index, {}));
    await refused(small, 413, 'body_too_large');
    expect(await accepted(...small.slice(0, 100), ...small.slice(0, 100))).toHaveLength(200);
    expect(await accepted(...small.slice(100))).toHaveLength(100);
  });

  it('of an oversized event or body is refused, and a full batch of 500 is accepted', async () => {
    const payment = (object: JsonObject) => ({ type: 'payment_created.v0', resource_id: own(), object });
    const tooLarge = await refused([payment({}), payment({ text: 'x'.repeat(60_000) })], 413, 'event_too_large');
    expect(errorsIn(tooLarge)).toEqual([['/events/1/object', expect.any(String)]]);
    await refused([payment({ text: 'x'.repeat(70_000) })], 400, 'invalid_input');
    const many = Object.fromEntries(Array.from({ length: 250_000 }, (_, index) => [`k${index}`, 0]));
    await refused([payment(many)], 413, 'body_too_large');
    await refused([], 400, 'invalid_input');
    await refused(
      Array.from({ length: 501 }, () => payment({})),
      400,
      'invalid_input',
    );
    const full = await accepted(...Array.from({ length: 500 }, () => payment({ text: 'x'.repeat(3_500) })));
    expect(new Set(full.map(({ event_id }) => event_id)).size).toBe(500);
    const bounded = await refused(
      Array.from({ length: 500 }, () => ({ ...payment({}), type: 'x_created.v0' })),
      400,
      'invalid_input',
    );
    expect(errorsIn(bounded)).toHaveLength(50);
  });

  it.each([
    ['updated', publishingLimits.mostEventBytes],
    ['deleted', publishingLimits.mostDeletionBytes],
  ])('with the largest event %s that the outbox records is accepted: what Waybill adds fits', async (action, most) => {
    const longest = '😀'.repeat(publishingLimits.longestId - 10);
    const event = (text: string) => ({
      type: `payment_${action}.v0`,
      resource_id: own(longest),
      object: { text },
      principal: { id: longest },
    });
    const free = most - Buffer.byteLength(JSON.stringify(event('')));
    const [{ resource_id: resourceId } = {}] = await payloads(event('x'.repeat(free)));
    expect(resourceId).toBe(own(longest));
  });
});

describe('a type that is deleted', () => {
  it('takes no more events, and begins anew under the same name', async () => {
    const name = `brief_${next}`;
    const event = { type: `${name}_updated.v0`, resource_id: own(), object: { n: 1 } };
    const { path } = await api.admin.create('/resource_types', { name, changes: 'computed' });
    await accepted(event, event);
    expect((await api.admin.delete(path)).status).toBe(204);
    await refused([event], 400, 'invalid_input');
    await api.admin.create('/resource_types', { name, changes: 'computed' });
    const [payload] = await payloads(event);
    expect(payload).toMatchObject({ version: 1 });
    expect(payload).not.toHaveProperty('changes');
  });
});

describe('the list of events', () => {
  const listed = (type: string, client = api.admin) => client.get(`/events?type=${type}`);

  it('has those of a registered type, also after the type is gone, and refuses a type that never was one', async () => {
    const name = `listed_${next}`;
    const { path } = await api.admin.create('/resource_types', { name });
    const type = `${name}_created.v0`;
    expect((await listed(type)).body.events).toEqual([]);
    const [result] = await accepted({ type, resource_id: own(), object: {} });
    expect((await api.admin.delete(path)).status).toBe(204);
    expect((await listed(type)).body.events).toMatchObject([{ id: result?.event_id, type }]);
    const never = `${name}_updated.v0`;
    for (const [asked, response] of [
      [never, await listed(never)],
      [type, await listed(type, await api.addAccount())],
    ] as const) {
      const detail = `"${asked}" is not an event type; see /event_types`;
      expect([response.status, errorsIn(response)]).toEqual([400, [['?type', detail]]]);
    }
  });
});
