import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { ResourceTypeStore } from '../../src/events/resource-types/resource-type-store.js';
import { freshTypeName } from '../support/samples.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
let types: ResourceTypeStore;
beforeAll(async () => {
  api = await startTestApi();
  types = new ResourceTypeStore(api.store.db);
});
afterAll(() => api.close());

const schema = { type: 'object', properties: { total: { type: 'integer', minimum: 0 } }, required: ['total'] };

describe('a resource type', () => {
  it('has defaults for everything but its name', async () => {
    const name = freshTypeName();
    const { body } = await api.admin.post('/resource_types', { name });
    expect(body).toMatchObject({
      name,
      title: name.replace('_', ' '),
      description: null,
      metadata: null,
      actions: ['created', 'updated', 'deleted'],
      version: 0,
      schema: null,
      redact: [],
      changes: 'given',
    });
  });

  it('has a name that no other type of the account has, even when both are created at once', async () => {
    const name = freshTypeName();
    const responses = await Promise.all([1, 2, 3].map(() => api.admin.post('/resource_types', { name })));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    const stranger = await api.addAccount();
    expect((await stranger.post('/resource_types', { name })).status).toBe(201);
  });

  it('has no event type of another type of the account', async () => {
    const name = freshTypeName();
    await api.admin.create('/resource_types', { name, actions: ['item_added'] });
    const response = await api.admin.post('/resource_types', { name: `${name}_item`, actions: ['added'] });
    expect(response.status).toBe(409);
    expect(response.body.detail).toContain(`${name}_item_added`);
    expect((await api.admin.post('/resource_types', { name: `${name}_item`, actions: ['sold'] })).status).toBe(201);
  });
});

/** Publishes an event, and returns the errors of the response. */
async function errorsOf(type: string, object: object): Promise<readonly unknown[]> {
  const { body } = await api.admin.post('/events', { events: [{ type, resource_id: 'a', object }] });
  return (body['errors'] ?? []) as readonly unknown[];
}

describe('the registered types of an account', () => {
  it('are found by event type, and check objects', async () => {
    const name = freshTypeName();
    const { id } = await api.admin.create('/resource_types', {
      name,
      schema,
      version: 2,
      changes: 'computed',
    });
    const eventType = `${name}_created.v2`;
    const found = await types.byEventType(api.accountId, [
      eventType,
      `${name}_created.v1`,
      `${name}_sold.v2`,
      'other',
      eventType,
    ]);
    expect([...found.keys()]).toEqual([eventType]);
    const { type, action } = found.get(eventType) ?? {};
    expect(action).toBe('created');
    expect(type).toMatchObject({ id, name, version: 2, changes: 'computed', redact: [], schema });
    expect(await errorsOf(eventType, { total: 1 })).toEqual([]);
    expect(await errorsOf(eventType, { total: -1 })).toEqual([
      { pointer: '/events/0/object/total', detail: 'must be >= 0' },
    ]);
    expect(await errorsOf(eventType, {})).toEqual([{ pointer: '/events/0/object/total', detail: 'is required' }]);
    expect((await types.byEventType('acc_other', [eventType])).size).toBe(0);
  });

  it('have the new schema after an update, and are gone after a deletion', async () => {
    const name = freshTypeName();
    const { path } = await api.admin.create('/resource_types', { name, schema });
    const eventType = `${name}_created.v0`;
    expect(await errorsOf(eventType, {})).toEqual([{ pointer: '/events/0/object/total', detail: 'is required' }]);
    expect((await api.admin.patch(path, { schema: null })).status).toBe(200);
    expect(await errorsOf(eventType, {})).toEqual([]);
    expect((await api.admin.delete(path)).status).toBe(204);
    expect(await errorsOf(eventType, {})).toEqual([
      { pointer: '/events/0/type', detail: expect.stringContaining('not an event type') as string },
    ]);
  });
});

test('a store that forgets reads a definition again, also of a revision that it has read', async () => {
  const name = freshTypeName();
  const { id } = await api.admin.create('/resource_types', { name, schema });
  const redactOf = async () =>
    (await types.byEventType(api.accountId, [`${name}_created.v0`])).get(`${name}_created.v0`)?.type.redact;
  expect(await redactOf()).toEqual([]);
  // As after a failover to a server that lacks the change, and another change there.
  await sql`update resource_type_versions set definition = jsonb_set(definition, '{redact}', '["/total"]') where type_id = ${id}`.execute(
    api.store.db,
  );
  types.forget();
  expect(await redactOf()).toEqual(['/total']);
});

describe('a refused resource type', () => {
  const count = async () => {
    const { rows } = await api.store.pool.query<{ count: number }>('select count(*)::int as count from events');
    return rows[0]?.count;
  };

  it.each<[body: object, pointer: string, detail: RegExp]>([
    [{ name: 'ip_policy' }, '/name', /built-in resources: put a namespace .* such as shop\.ip_policy$/],
    [{ name: 'waybill.order' }, '/name', /^waybill\.order is reserved for built-in resources$/],
    [{ name: 'shop.order', actions: ['snapshot'] }, '/actions/0', /built-in event/],
    [{ name: 'shop.eu.order' }, '/name', /snake case/],
    [{ name: 'shop.' }, '/name', /snake case/],
    [{ name: '.order' }, '/name', /snake case/],
    [{ name: 'user' }, '/name', /built-in resource/],
    [{ name: 'waybill_thing' }, '/name', /built-in resource/],
    [{ name: 'event_destination_epoch', actions: ['started'] }, '/name', /built-in resource/],
    [{ name: 'ip', actions: ['policy_created'] }, '/actions/0', /built-in event/],
    [{ name: 'event', actions: ['made', 'destination_test'] }, '/actions/1', /built-in event/],
    [{ name: 'thing', actions: ['snapshot'] }, '/actions/0', /built-in event/],
    [{ name: 'thing', actions: ['x_snapshot'] }, '/actions/0', /built-in event/],
    [{ name: 'Order' }, '/name', /snake case/],
    [{ name: 'ordеr' }, '/name', /snake case/],
    [{ name: 'order\n' }, '/name', /snake case/],
    [{ name: 'a__b' }, '/name', /snake case/],
    [{ name: '' }, '/name', /snake case/],
    [{ name: 'a'.repeat(65) }, '/name', /64 characters/],
    [{ name: 'thing', actions: [] }, '/actions', /at least 1 item/],
    [{ name: 'thing', actions: ['made', 'made'] }, '/actions', /twice/],
    [{ name: 'thing', version: 1000 }, '/version', /at most 999/],
    [{ name: 'thing', schema: { type: 'text' } }, '/schema/type', /must be/],
    [{ name: 'thing', schema: { $ref: 'https://example.com' } }, '/schema/$ref', /must refer/],
    [{ name: 'thing', schema: { description: 'x'.repeat(16_384) } }, '/schema', /16384 bytes/],
    [{ name: 'thing', redact: ['/__proto__/x'] }, '/redact/0', /__proto__/],
    [
      { name: 'thing', schema: { type: 'object', properties: {}, additionalProperties: false }, redact: ['/a'] },
      '/redact/0',
      /describes/,
    ],
  ])('%j is a 400 that points to the error, and nothing is stored', async (body, pointer, detail) => {
    const before = await count();
    const response = await api.admin.post('/resource_types', body);
    expect(response.status).toBe(400);
    expect(response.body.errors).toEqual([{ pointer, detail: expect.stringMatching(detail) as string }]);
    expect(await count()).toBe(before);
  });
});

describe('an update of a resource type', () => {
  it('is refused within a version when it is not compatible, and is possible with a higher version', async () => {
    const name = freshTypeName();
    const { path } = await api.admin.create('/resource_types', { name, schema, actions: ['created', 'sold'] });
    const narrower = { ...schema, required: ['total', 'tax'] };
    for (const [change, pointer] of [
      [{ actions: ['created'] }, '/actions'],
      [{ changes: 'computed' }, '/changes'],
      [{ schema: narrower }, '/schema/required'],
    ] as const) {
      const refused = await api.admin.patch(path, change);
      expect(refused.body.errors).toMatchObject([
        { pointer, detail: expect.stringContaining('Raise `version`') as string },
      ]);
    }
    const raised = await api.admin.patch(path, { version: 2, actions: ['created'], schema: narrower });
    expect(raised.status).toBe(200);
    expect((await api.admin.patch(path, { version: 1 })).body.errors).toMatchObject([{ pointer: '/version' }]);
    // The event types of the older version remain, with its schema.
    const found = await types.byEventType(api.accountId, [`${name}_sold.v0`, `${name}_sold.v2`, `${name}_created.v2`]);
    expect([...found.keys()].toSorted()).toEqual([`${name}_created.v2`, `${name}_sold.v0`]);
    expect(found.get(`${name}_sold.v0`)?.type.schema).toEqual(schema);
  });

  it('is refused when the type has 20 versions', async () => {
    const { path } = await api.admin.create('/resource_types', { name: freshTypeName() });
    for (let version = 1; version < 20; version += 1)
      expect((await api.admin.patch(path, { version })).status).toBe(200);
    const refused = await api.admin.patch(path, { version: 20 });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.text).toContain('A resource type has at most 20 versions. Create another type.');
    expect((await api.admin.get(path)).body).toMatchObject({ version: 19 });
  });
});

describe('the event types of a resource type', () => {
  const target = { monitoring: { api_key: '0123456789abcdef0123456789abcdef', site: 'datadoghq.eu' } };

  it('are listed beside the built-in ones, with the schema of their payloads, for the own account only', async () => {
    const name = freshTypeName();
    await api.admin.create('/resource_types', { name, schema, actions: ['sold'] });
    const type = `${name}_sold.v0`;
    const listed = (await api.admin.get('/event_types')).body.event_types as { type: string; origin: string }[];
    expect(listed.find((one) => one.type === 'ip_policy_created.v0')?.origin).toBe('built_in');
    expect(listed.find((one) => one.type === type)?.origin).toBe('registered');
    const { body } = await api.admin.get(`/event_types/${type}`);
    expect(body).toMatchObject({ type, origin: 'registered', schema: { properties: { object: schema } } });
    const stranger = await api.addAccount();
    expect((await stranger.get(`/event_types/${type}`)).status).toBe(404);
    expect(JSON.stringify((await stranger.get('/event_types')).body)).not.toContain(type);
    expect((await stranger.post('/event_subscriptions', { sources: [{ type }] })).status).toBe(400);
  });

  it('are sources of subscriptions, and the type cannot be deleted meanwhile', async () => {
    const name = freshTypeName();
    const { path } = await api.admin.create('/resource_types', { name });
    const destination = await api.admin.create('/event_destinations', { format: 'json', target });
    const unknown = await api.admin.post('/event_subscriptions', { sources: [{ type: `${name}_created.v1` }] });
    expect(unknown.body.errors).toMatchObject([{ pointer: '/sources/0/type' }]);
    const subscription = await api.admin.create('/event_subscriptions', {
      sources: [{ type: 'ip_policy_created.v0' }, { type: `${name}_created.v0` }],
      destination_ids: [destination.id],
    });
    expect(subscription).not.toHaveProperty('resource_type_ids');
    const { rows } = await api.store.pool.query<{ event_type: string; destination_id: string }>(
      'select event_type, destination_id from event_routes where subscription_id = $1 order by event_type',
      [subscription.id],
    );
    expect(rows).toEqual(
      ['ip_policy_created.v0', `${name}_created.v0`].map((type) => ({
        event_type: type,
        destination_id: destination.id,
      })),
    );
    const refused = await api.admin.delete(path);
    expect([refused.status, refused.body.error_code]).toEqual([409, 'still_referenced']);
    expect(refused.body.conflicts).toEqual([subscription.id]);
    expect((await api.admin.delete(`${subscription.path}/sources/${name}_created.v0`)).status).toBe(204);
    expect((await api.admin.delete(path)).status).toBe(204);
  });

  it('never remain in a subscription that is created while the type is deleted', async () => {
    for (let round = 0; round < 5; round += 1) {
      const name = freshTypeName();
      const { path } = await api.admin.create('/resource_types', { name });
      const sources = [{ type: `${name}_created.v0` }];
      const [deleted, created] = await Promise.all([
        api.admin.delete(path),
        api.admin.post('/event_subscriptions', { sources }),
      ]);
      expect([`${deleted.status} ${created.status}`]).toEqual([expect.stringMatching(/^(204 400|409 201)$/)]);
    }
  });
});
