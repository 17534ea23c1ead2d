import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { families } from '../../src/resources/families.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

describe('event types', () => {
  it('are created, updated, deleted and snapshot for every family, and those of health and recoveries', async () => {
    const response = await api.admin.get('/event_types');
    const types = (response.body.event_types as { type: string }[]).map(({ type }) => type);
    const expected = families.flatMap(({ definition }) =>
      ['created', 'updated', 'deleted', 'snapshot'].map((kind) => `${definition.name}_${kind}.v0`),
    );
    const health = ['event_destination_status_changed.v0', 'event_delivery_rejected.v0'];
    const recoveries = ['event_delivery_recovery_started.v0', 'event_delivery_recovery_ended.v0'];
    expect(types).toEqual([...expected, ...health, ...recoveries]);
  });

  it('have a JSON Schema that their events match', async () => {
    const bot = await api.admin.create('/bot_users', { name: 'a' });
    await api.admin.patch(bot.path, { name: 'b' });
    await api.admin.delete(bot.path);
    const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } });
    for (const action of ['created', 'updated', 'deleted']) {
      const type = `bot_user_${action}.v0`;
      const { schema, uri } = (await api.admin.get(`/event_types/${type}`)).body;
      expect(uri).toBe(`${api.baseUrl}/event_types/${type}`);
      const validate = ajv.compile(schema as object);
      const { events } = (await api.admin.get(`/events?type=${type}&limit=1`)).body as {
        events: { payload: object }[];
      };
      const payload = { ...events[0]?.payload, epoch: 1, sequence: 1 };
      expect(validate(payload), JSON.stringify(validate.errors)).toBe(true);
      expect(validate({ ...payload, event_type: 'other' })).toBe(false);
    }
  });

  it('that are unknown are a 404', async () => {
    expect((await api.admin.get('/event_types/ip_policy_exploded.v0')).status).toBe(404);
  });
});

describe('events', () => {
  it('are listed newest first, by type, page by page', async () => {
    const stranger = await api.addAccount();
    for (const name of ['a', 'b', 'c']) await stranger.create('/bot_users', { name });
    await stranger.create('/ip_policies', {});
    const first = await stranger.get('/events?type=bot_user_created.v0&limit=2');
    const names = (body: Record<string, unknown>) =>
      (body.events as { payload: { object: { name: string } } }[]).map(({ payload }) => payload.object.name);
    expect(names(first.body)).toEqual(['c', 'b']);
    const second = await stranger.get(String(first.body.next_page_uri));
    expect([names(second.body), second.body.next_page_uri]).toEqual([['a'], null]);
  });

  it('have the version of their resource, which rises by one with each change', async () => {
    const versionsOf = async (id: string) => {
      const { events } = (await api.admin.get('/events?limit=100')).body as {
        events: { resource_id: string; type: string; payload: { version: number } }[];
      };
      const ofResource = events.filter(({ resource_id }) => resource_id === id).toReversed();
      return ofResource.map(({ type, payload }) => [type, payload.version]);
    };
    const edge = await api.admin.create('/edges/https', {});
    const route = await api.admin.create(`${edge.path}/routes`, { match_type: 'path_prefix', match: '/' });
    await api.admin.patch(route.path, { description: 'second' });
    await api.admin.patch(route.path, { description: 'second' });
    await api.admin.send('PUT', `${route.path}/compression`, { enabled: true });
    await api.admin.delete(edge.path);
    expect(await versionsOf(edge.id)).toEqual([
      ['https_edge_created.v0', 1],
      ['https_edge_deleted.v0', 2],
    ]);
    expect(await versionsOf(route.id)).toEqual([
      ['https_edge_route_created.v0', 1],
      ['https_edge_route_updated.v0', 2],
      ['https_edge_route_updated.v0', 3],
      ['https_edge_route_deleted.v0', 4],
    ]);
  });

  it('of an unknown type are a 400 instead of an empty list', async () => {
    const { status, body } = await api.admin.get('/events?type=ip_policy_exploded.v0');
    expect(status).toBe(400);
    expect(body).toMatchObject({
      errors: [{ pointer: '?type', detail: expect.stringContaining('/event_types') }],
    });
    expect((await api.admin.get('/events?type=event_destination_test.v0')).status).toBe(200);
  });

  it('are read by id, and only by their account', async () => {
    await api.admin.create('/ip_policies', { description: 'mine' });
    const { events } = (await api.admin.get('/events?limit=1')).body as {
      events: { id: string; uri: string }[];
    };
    const [event] = events;
    const response = await api.admin.get(String(event?.uri));
    expect([response.status, response.body]).toEqual([200, event]);
    expect((await (await api.addAccount()).get(`/events/${event?.id}`)).status).toBe(404);
  });

  it('cannot be changed', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect((await api.admin.send(method, '/events', method === 'DELETE' ? undefined : {})).status).toBe(405);
    }
  });

  it('have at most 64 KiB: large changes are reduced to their names, and a larger resource is refused', async () => {
    const metadata = '\u0001'.repeat(4096);
    const { path } = await api.admin.create('/event_subscriptions', { metadata });
    const changed = await api.admin.patch(path, { metadata: '\u0002'.repeat(4096) });
    expect(changed.status).toBe(200);
    const list = await api.admin.get('/events?type=event_subscription_updated.v0&limit=1');
    const [event] = list.body.events as { payload: { changes: unknown; object: unknown } }[];
    expect(event?.payload.changes).toEqual({ before: {}, after: {}, omitted: ['metadata'] });
    expect(event?.payload.object).toEqual(changed.body);
  });

  it('are not recorded when the change is refused', async () => {
    const before = await api.admin.get('/events?limit=1');
    await api.admin.post('/ip_policy_rules', { cidr: 'x', action: 'allow', ip_policy_id: 'ipp_none' });
    await api.admin.patch('/ip_policies/ipp_none', { description: 'x' });
    expect((await api.admin.get('/events?limit=1')).body).toEqual(before.body);
  });
});

it('shows every principal the events of the account, including those of API keys of others, without tokens', async () => {
  const bot = await api.addBot();
  const key = await api.admin.create('/api_keys', { description: 'of the admin' });
  expect((await bot.get(key.path)).status).toBe(404);
  const { body, text } = await bot.get('/events?limit=1&type=api_key_created.v0');
  expect(body.events).toMatchObject([{ resource_id: key.id, payload: { object: { token: null } } }]);
  expect(text).not.toContain(String(key.token));
});

it('the list of events refuses a before_id that is not an event', async () => {
  const { id } = await api.admin.create('/ip_policies', {});
  for (const cursor of [id, 'nonsense', 'evt_']) {
    const response = await api.admin.get(`/events?before_id=${cursor}`);
    expect([response.status, response.body.errors]).toMatchObject([400, [{ pointer: '?before_id' }]]);
  }
});
