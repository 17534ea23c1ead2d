import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemContext } from '../../src/events/envelope/system-context.js';
import { Versioned } from '../../src/http/response/etag.js';
import { EventSourcesController } from '../../src/resources/families/event-subscriptions/event-sources.controller.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const target = { monitoring: { api_key: '0123456789abcdef0123456789abcdef' } };

/** The event types that are routed to a destination, from `event_routes`. */
async function routesTo(destinationId: string): Promise<string[]> {
  const rows = await api.store.db
    .selectFrom('event_routes')
    .select('event_type')
    .where('destination_id', '=', destinationId)
    .orderBy('event_type')
    .execute();
  return rows.map(({ event_type }) => event_type);
}

describe('event subscriptions', () => {
  it('return sources with uris and destinations as Refs', async () => {
    const destination = await api.admin.create('/event_destinations', { target });
    const subscription = await api.admin.create('/event_subscriptions', {
      sources: [{ type: 'ip_policy_created.v0' }, { type: 'bot_user_deleted.v0' }],
      destination_ids: [destination.id],
    });
    const base = `${api.baseUrl}${subscription.path}`;
    expect(subscription).toMatchObject({
      sources: [
        { type: 'ip_policy_created.v0', uri: `${base}/sources/ip_policy_created.v0` },
        { type: 'bot_user_deleted.v0', uri: `${base}/sources/bot_user_deleted.v0` },
      ],
      destinations: [{ id: destination.id, uri: `${api.baseUrl}${destination.path}` }],
    });
  });

  it('refuse unknown and duplicate event types', async () => {
    const unknown = await api.admin.post('/event_subscriptions', {
      sources: [{ type: 'ip_policy_created.v0' }, { type: 'ip_policy_exploded.v0' }],
    });
    expect(unknown.body.errors).toMatchObject([{ pointer: '/sources/1/type' }]);
    const twice = await api.admin.post('/event_subscriptions', {
      sources: [{ type: 'ip_policy_created.v0' }, { type: 'ip_policy_created.v0' }],
    });
    expect(twice.body).toMatchObject({ status: 400, errors: [{ pointer: '/sources' }] });
  });

  it('have at most 200 sources, however these are added', async () => {
    const actions = Array.from({ length: 20 }, (_, number) => `changed_${number}`);
    for (let number = 0; number < 11; number += 1) {
      await api.admin.create('/resource_types', { name: `kind_${number}`, actions });
    }
    const types = Array.from(
      { length: 201 },
      (_, number) => `kind_${number % 11}_${actions[Math.floor(number / 11)]}.v0`,
    );
    const sources = types.map((type) => ({ type }));
    const subscription = await api.admin.create('/event_subscriptions', { sources: sources.slice(1) });
    const added = await api.admin.post(`${subscription.path}/sources`, sources[0]);
    expect([added.status, added.body.error_code], added.text).toEqual([409, 'conflict']);
    expect(added.body.detail).toContain('has 200 sources');
    expect((await api.admin.patch(subscription.path, { sources })).body.error_code).toBe('invalid_input');
    await api.admin.delete(`${subscription.path}/sources/${types[1]}`);
    expect((await api.admin.post(`${subscription.path}/sources`, sources[0])).status).toBe(201);
  });

  it('update the event routes with every change', async () => {
    const destination = await api.admin.create('/event_destinations', { target });
    const subscription = await api.admin.create('/event_subscriptions', {
      sources: [{ type: 'ip_policy_created.v0' }],
      destination_ids: [destination.id],
    });
    expect(await routesTo(destination.id)).toEqual(['ip_policy_created.v0']);
    await api.admin.post(`${subscription.path}/sources`, { type: 'ip_policy_deleted.v0' });
    expect(await routesTo(destination.id)).toEqual(['ip_policy_created.v0', 'ip_policy_deleted.v0']);
    await api.admin.patch(subscription.path, { destination_ids: [] });
    expect(await routesTo(destination.id)).toEqual([]);
    await api.admin.patch(subscription.path, { destination_ids: [destination.id] });
    await api.admin.delete(subscription.path);
    expect(await routesTo(destination.id)).toEqual([]);
  });

  it('deliver an event once to a destination of two subscriptions', async () => {
    const destination = await api.admin.create('/event_destinations', { target });
    const body = { sources: [{ type: 'bot_user_created.v0' }], destination_ids: [destination.id] };
    await api.admin.create('/event_subscriptions', body);
    await api.admin.create('/event_subscriptions', body);
    await api.admin.create('/bot_users', { name: 'once' });
    const deliveries = await api.store.db
      .selectFrom('all_deliveries')
      .selectAll()
      .where('destination_id', '=', destination.id)
      .execute();
    expect(deliveries).toHaveLength(1);
  });
});

describe('event sources', () => {
  const types = async (path: string) => {
    const { sources } = (await api.admin.get(path)).body as { sources: { type: string }[] };
    return sources.map(({ type }) => type);
  };

  it('refuse the type of test events, and say why', async () => {
    const type = 'event_destination_test.v0';
    const { path } = await api.admin.create('/event_subscriptions', {});
    for (const response of [
      await api.admin.post(`${path}/sources`, { type }),
      await api.admin.post('/event_subscriptions', { sources: [{ type }] }),
    ]) {
      expect(response.status).toBe(400);
      expect(response.body.errors).toMatchObject([
        { detail: expect.stringContaining('cannot be subscribed to') as string },
      ]);
    }
  });

  it('are created, listed, read, updated and deleted under their subscription', async () => {
    const { path } = await api.admin.create('/event_subscriptions', {});
    const type = 'ip_policy_created.v0';
    const shown = { type, uri: `${api.baseUrl}${path}/sources/${type}` };
    const created = await api.admin.post(`${path}/sources`, { type });
    expect([created.status, created.body]).toEqual([201, shown]);
    const listed = await api.admin.get(`${path}/sources`);
    expect([listed.status, listed.body]).toEqual([200, { sources: [shown], uri: `${api.baseUrl}${path}/sources` }]);
    expect((await api.admin.get(`${path}/sources/${type}`)).body).toEqual(shown);
    const updated = await api.admin.patch(`${path}/sources/${type}`, shown);
    expect((await api.admin.patch(`${path}/sources/${type}`, {})).body).toEqual(shown);
    expect((await api.admin.patch(`${path}/sources/${type}`, undefined)).body).toEqual(shown);
    expect([updated.status, updated.body]).toEqual([200, shown]);
    expect((await api.admin.delete(`${path}/sources/${type}`)).status).toBe(204);
    expect((await api.admin.get(`${path}/sources/${type}`)).status).toBe(404);
    expect((await api.admin.delete(`${path}/sources/${type}`)).status).toBe(404);
  });

  it('are an update of their subscription, whose event shows the sources before and after', async () => {
    const { path, id } = await api.admin.create('/event_subscriptions', {});
    await api.admin.post(`${path}/sources`, { type: 'api_key_created.v0' });
    const list = await api.admin.get('/events?type=event_subscription_updated.v0&limit=1');
    expect(list.body.events).toMatchObject([
      {
        resource_id: id,
        payload: {
          changes: { before: { sources: [] }, after: { sources: [{ type: 'api_key_created.v0' }] } },
        },
      },
    ]);
  });

  it('refuse a duplicate type, an unknown type, and a body that contradicts the path', async () => {
    const { path } = await api.admin.create('/event_subscriptions', {
      sources: [{ type: 'ip_policy_created.v0' }],
    });
    expect((await api.admin.post(`${path}/sources`, { type: 'ip_policy_created.v0' })).status).toBe(409);
    const unknown = await api.admin.post(`${path}/sources`, { type: 'nothing_created.v0' });
    expect([unknown.status, unknown.body.errors]).toMatchObject([400, [{ pointer: '/type' }]]);
    const other = await api.admin.post(`${path}/sources`, {
      type: 'ip_policy_deleted.v0',
      subscription_id: 'esb_other',
    });
    expect(other.body).toMatchObject({ status: 400, errors: [{ pointer: '/subscription_id' }] });
    expect((await api.admin.patch(`${path}/sources/ip_policy_created.v0`, { type: 'x' })).status).toBe(400);
    expect((await api.admin.patch(`${path}/sources/ip_policy_created.v0`, { colour: 'red' })).status).toBe(400);
  });

  it('that are added concurrently are all kept', async () => {
    const { path } = await api.admin.create('/event_subscriptions', {});
    const added = ['created', 'updated', 'deleted'].map((action) => `ip_policy_${action}.v0`);
    await Promise.all(added.map((type) => api.admin.post(`${path}/sources`, { type })));
    expect((await types(`${path}/sources`)).toSorted()).toEqual(added.toSorted());
  });

  it('are answered as the request left them, though another one removed them since', async () => {
    const [type, filter] = ['ip_policy_created.v0', 'object.description == "x"'];
    const subscriptions: ConstructorParameters<typeof EventSourcesController>[0] = {
      update: (_context, _id, patch) => {
        if (typeof patch === 'function') patch({ sources: [{ type }] });
        return Promise.resolve(new Versioned({ id: 'esb_1' }, 2));
      },
      attributes: () => Promise.resolve({ sources: [] }),
    };
    const context = systemContext(api.accountId, 'test', api.baseUrl);
    const changed = await new EventSourcesController(subscriptions).update(context, 'esb_1', type, { filter });
    expect(changed).toMatchObject({ type, filter });
  });

  it('of another account’s subscription do not exist', async () => {
    const { path } = await api.admin.create('/event_subscriptions', {
      sources: [{ type: 'ip_policy_created.v0' }],
    });
    const stranger = await api.addAccount();
    const responses = [
      await stranger.get(`${path}/sources`),
      await stranger.post(`${path}/sources`, { type: 'ip_policy_deleted.v0' }),
      await stranger.delete(`${path}/sources/ip_policy_created.v0`),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await types(`${path}/sources`)).toEqual(['ip_policy_created.v0']);
  });
});
