import { afterAll, beforeAll, expect, it } from 'vitest';
import { PublishedResourceStore } from '../../src/events/publishing/published-resource-store.js';
import { until } from '../../tools/harness/until.js';
import { DeliveringApi } from '../support/delivering-api.js';

let delivering: DeliveringApi;
beforeAll(async () => {
  delivering = await DeliveringApi.start();
  await delivering.api.admin.create('/resource_types', { name: 'order', changes: 'computed' });
});
afterAll(() => delivering.close());

it('events of several publishers at once arrive in order per resource, numbered without gaps', async () => {
  const { api } = delivering;
  const { id, arn } = await delivering.destination();
  await api.store.pool.query(
    `insert into event_routes (account_id, event_type, destination_id, subscription_id)
     select account_id, 'order_updated.v0', destination_id, subscription_id from event_routes where destination_id = $1`,
    [id],
  );
  const clients = await Promise.all(
    Array.from({ length: 6 }, async () =>
      api.client(String((await api.admin.create('/api_keys', { role: 'publisher' })).token)),
    ),
  );
  const resources = ['a', 'b', 'c', 'd'];
  const batches = 10;
  await Promise.all(
    clients.map(async (client, number) => {
      for (let batch = 0; batch < batches; batch += 1) {
        const ids = number % 2 === 0 ? resources : resources.toReversed();
        const events = ids.map((resource) => ({
          type: 'order_updated.v0',
          resource_id: resource,
          object: { number, batch },
        }));
        const { status, text } = await client.post('/events', { events });
        expect(status, text).toBe(202);
      }
    }),
  );
  const expected = clients.length * batches * resources.length;
  await until(() => delivering.arrivals(arn).length >= expected, 'every event arrived');
  const arrived = delivering
    .arrivals(arn)
    .map((body) => JSON.parse(body) as { resource_id: string; sequence: number; version: number });
  expect(arrived.map(({ sequence }) => sequence).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: expected }, (_, index) => index + 1),
  );
  for (const resource of resources) {
    const versions = arrived.filter(({ resource_id }) => resource_id === resource).map(({ version }) => version);
    expect(versions).toEqual(Array.from({ length: clients.length * batches }, (_, index) => index + 1));
  }
});

it('resources of deleted types, and those deleted long ago, are pruned in pages', async () => {
  const { store } = delivering.api;
  await store.pool.query(
    `insert into published_resources (type_id, resource_id, version, deleted_at)
     select 'rt_gone' || n, n::text, 1, null from generate_series(1, 5) n
     union all select (select min(type_id) from published_resources), 'old', 1, now() - interval '400 days'
     union all select (select min(type_id) from published_resources), 'recent', 1, now()`,
  );
  const pruned = new PublishedResourceStore(store.db);
  for (let turn = 0; turn < 2; turn += 1) expect(await pruned.prune(3)).toBeLessThanOrEqual(6);
  const { rows } = await store.pool.query('select resource_id from published_resources order by 1');
  expect(rows.map(({ resource_id }: { resource_id: string }) => resource_id)).toEqual(['a', 'b', 'c', 'd', 'recent']);
});

it('events of a type with a namespace are subscribed to, filtered, delivered and found like all others', async () => {
  const { api } = delivering;
  await api.admin.create('/resource_types', { name: 'shop.user', actions: ['created', 'signed_in'] });
  const { id, arn } = await delivering.destination();
  const type = 'shop.user_created.v0';
  const { path } = await api.admin.create('/event_subscriptions', {
    destination_ids: [id],
    sources: [{ type, filter: 'object.name == "Ada"' }, { type: 'shop.user_signed_in.v0' }],
  });
  const refused = await api.admin.patch(`${path}/sources/${type}`, { filter: 'event_type == 1' });
  expect([refused.status, refused.body.error_code]).toEqual([400, 'invalid_input']);
  const users = [['u1', 'Ada'] as const, ['u2', 'Bob'] as const];
  const events = users.map(([user, name]) => ({ type, resource_id: user, object: { name } }));
  const signedIn = { type: 'shop.user_signed_in.v0', resource_id: 'u2', object: {} };
  expect((await api.admin.post('/events', { events: [...events, signedIn] })).status).toBe(202);
  await until(() => delivering.arrivals(arn).length >= 2, 'the events arrived');
  expect(delivering.arrivals(arn).map((body) => JSON.parse(body) as object)).toMatchObject([
    { event_type: type, resource_id: 'u1', version: 1 },
    { event_type: 'shop.user_signed_in.v0', resource_id: 'u2', version: 2 },
  ]);
  const listed = async (query: string) =>
    ((await api.admin.get(query)).body.events as { resource_id: string }[]).map((event) => event.resource_id);
  expect(await listed(`/events?type=${type}&order=oldest_first`)).toEqual(['u1', 'u2']);
  const { status, body } = await api.admin.get(`/event_types/${type}`);
  expect([status, body]).toMatchObject([200, { type, origin: 'registered' }]);
  const all = (await api.admin.get('/event_types')).body.event_types as { type: string }[];
  expect(all.map((one) => one.type)).toContain('shop.user_signed_in.v0');
});
