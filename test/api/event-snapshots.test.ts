import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { EventSnapshotStore } from '../../src/events/fan-out/event-snapshot-store.js';
import { until } from '../../tools/harness/until.js';
import { deliverNextPart } from '../delivery/support/fan-outs.js';
import { seedAccount } from '../delivery/support/seed.js';
import { TestClient, type Created, type JsonObject } from '../support/api-client.js';
import { createTestStore } from '../support/database.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { ADMIN_KEY, startTestService } from '../support/test-service.js';

const target = { monitoring: { api_key: '0123456789abcdef0123456789abcdef' } };

/** All event types of a family. */
function sourcesOf(...families: readonly string[]) {
  const kinds = ['created', 'updated', 'deleted', 'snapshot'];
  return families.flatMap((family) => kinds.map((kind) => ({ type: `${family}_${kind}.v0` })));
}

/** Subscribes a new destination. */
async function subscribe(admin: TestClient, sources: readonly JsonObject[]) {
  const destination = await admin.create('/event_destinations', { target });
  const subscription = await admin.create('/event_subscriptions', { sources, destination_ids: [destination.id] });
  return { destination, subscription };
}

/** The events for a destination, in the order of their deliveries: family and kind, resource, version. */
async function eventsFor(store: Store, destinationId: string): Promise<readonly (readonly [string, string, number])[]> {
  const rows = await store.db
    .selectFrom('all_deliveries as deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .select(['events.type', 'events.resource_id', 'events.payload'])
    .where('deliveries.destination_id', '=', destinationId)
    .orderBy('deliveries.id')
    .execute();
  return rows.map(({ type, resource_id, payload }) => [
    type.replace('.v0', ''),
    resource_id,
    Number((JSON.parse(payload) as { version: unknown }).version),
  ]);
}

async function snapshotsOf(admin: TestClient, { path }: Created): Promise<readonly JsonObject[]> {
  return (await admin.get(`${path}/snapshots`)).body.snapshots as readonly JsonObject[];
}

async function finished(admin: TestClient, subscription: Created): Promise<readonly JsonObject[]> {
  await until(
    async () => (await snapshotsOf(admin, subscription)).every(({ state }) => state === 'finished'),
    'every snapshot is finished',
  );
  return snapshotsOf(admin, subscription);
}

/** Locks resources against the walker, until the returned function is called. */
async function hold(store: Store, ids: readonly string[]): Promise<() => Promise<void>> {
  return new Promise((resolve, reject) => {
    const held = store.db.transaction().execute(async (trx) => {
      await trx.selectFrom('resources').select('id').where('id', 'in', ids).forUpdate().execute();
      await new Promise<void>((release) =>
        resolve(() => {
          release();
          return held;
        }),
      );
    });
    held.catch(reject);
  });
}

describe('a snapshot', () => {
  let api: TestApi;
  let admin: TestClient;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.close());

  /** An account of its own, so that a test knows its resources. */
  async function newAccount(): Promise<void> {
    admin = await api.addAccount();
  }

  it('has one event for each existing resource of its family, and shows its progress', async () => {
    await newAccount();
    const first = await admin.create('/ip_policies', { description: 'first' });
    const second = await admin.create('/ip_policies', {});
    await admin.patch(second.path, { description: 'second' });
    await admin.create('/bot_users', { name: 'of another family' });
    const { destination, subscription } = await subscribe(admin, sourcesOf('ip_policy'));
    expect(await finished(admin, subscription)).toMatchObject([
      {
        id: expect.stringMatching(/^snp_/) as string,
        type: 'ip_policy_snapshot.v0',
        destinations: [{ id: destination.id, uri: `${api.baseUrl}${destination.path}` }],
        resources_passed: 2,
        resources_total: 2,
      },
    ]);
    expect(await eventsFor(api.store, destination.id)).toEqual([
      ['ip_policy_snapshot', first.id, 1],
      ['ip_policy_snapshot', second.id, 2],
    ]);
    const { events } = (await admin.get('/events?type=ip_policy_snapshot.v0&limit=1')).body as {
      events: { payload: JsonObject }[];
    };
    expect(events[0]?.payload).toMatchObject({
      principal: { id: 'system', subject: 'system:snapshot', credential: null },
      object: (await admin.get(second.path)).body,
    });
    expect(events[0]?.payload).not.toHaveProperty('changes');
  });

  it('reports a resource before its first change, whoever is faster', async () => {
    await newAccount();
    const [blocked, updated, deleted] = [
      await admin.create('/ip_policies', {}),
      await admin.create('/ip_policies', {}),
      await admin.create('/ip_policies', {}),
    ];
    const release = await hold(api.store, [blocked.id]);
    const { destination, subscription } = await subscribe(admin, sourcesOf('ip_policy'));
    await admin.patch(updated.path, { description: 'one' });
    await admin.patch(updated.path, { description: 'two' });
    await admin.delete(deleted.path);
    const created = await admin.create('/ip_policies', {});
    const changes = [
      ['ip_policy_snapshot', updated.id, 1],
      ['ip_policy_updated', updated.id, 2],
      ['ip_policy_updated', updated.id, 3],
      ['ip_policy_snapshot', deleted.id, 1],
      ['ip_policy_deleted', deleted.id, 2],
      ['ip_policy_created', created.id, 1],
    ];
    expect(await eventsFor(api.store, destination.id)).toEqual(changes);
    expect(await snapshotsOf(admin, subscription)).toMatchObject([{ state: 'running', resources_passed: 0 }]);
    await release();
    await finished(admin, subscription);
    expect(await eventsFor(api.store, destination.id)).toEqual([...changes, ['ip_policy_snapshot', blocked.id, 1]]);
    await new EventSnapshotStore(api.store.db).prune(86_400_000);
    const { rows } = await api.store.pool.query('select from event_snapshot_marks');
    expect(rows).toEqual([]);
  });

  /** Starts a subscription of these destinations while its walker cannot begin. */
  const subscribeTo = (destinations: readonly Created[], ...kinds: readonly string[]) =>
    admin.create('/event_subscriptions', {
      sources: kinds.map((kind) => ({ type: `ip_policy_${kind}.v0` })),
      destination_ids: destinations.map(({ id }) => id),
    });

  it('reports a new resource to those of its destinations that another subscription does not tell of it', async () => {
    await newAccount();
    const blocked = await admin.create('/ip_policies', {});
    const release = await hold(api.store, [blocked.id]);
    const told = await admin.create('/event_destinations', { target });
    const untold = await admin.create('/event_destinations', { target });
    const subscription = await subscribeTo([told, untold], 'updated', 'snapshot');
    await subscribeTo([told], 'created');
    const fresh = await admin.create('/ip_policies', {});
    await admin.patch(fresh.path, { description: 'changed' });
    const changes = [
      ['ip_policy_snapshot', fresh.id, 1],
      ['ip_policy_updated', fresh.id, 2],
    ];
    const left = await admin.create('/ip_policies', {});
    await release();
    await finished(admin, subscription);
    const walked = [
      ['ip_policy_snapshot', blocked.id, 1],
      ['ip_policy_snapshot', left.id, 1],
    ];
    expect(await eventsFor(api.store, untold.id)).toEqual([...changes, ...walked]);
    expect(await eventsFor(api.store, told.id)).toEqual([
      ['ip_policy_created', fresh.id, 1],
      ...changes,
      ['ip_policy_created', left.id, 1],
      ...walked,
    ]);
  });

  it('is one for a destination of two subscriptions, where a change comes before both', async () => {
    await newAccount();
    const blocked = await admin.create('/ip_policies', {});
    const changed = await admin.create('/ip_policies', {});
    const release = await hold(api.store, [blocked.id]);
    const [one, both, other] = [
      await admin.create('/event_destinations', { target }),
      await admin.create('/event_destinations', { target }),
      await admin.create('/event_destinations', { target }),
    ];
    const subscriptions = [
      await subscribeTo([one, both], 'updated', 'snapshot'),
      await subscribeTo([both, other], 'deleted', 'snapshot'),
    ];
    await admin.patch(changed.path, { description: 'changed' });
    await admin.delete(changed.path);
    await release();
    for (const subscription of subscriptions) await finished(admin, subscription);
    const eventsOf = async ({ id }: Created) =>
      (await eventsFor(api.store, id))
        .filter(([, resource]) => resource === changed.id)
        .map(([type, , version]) => `${type} ${version}`);
    expect(await eventsOf(one)).toEqual(['ip_policy_snapshot 1', 'ip_policy_updated 2']);
    expect(await eventsOf(both)).toEqual(['ip_policy_snapshot 1', 'ip_policy_updated 2', 'ip_policy_deleted 3']);
    expect(await eventsOf(other)).toEqual(['ip_policy_snapshot 1', 'ip_policy_deleted 3']);
    for (const { id } of [one, other])
      expect((await eventsFor(api.store, id)).filter(([, resource]) => resource === blocked.id)).toHaveLength(1);
  });

  it('is repeated for a second subscription, between the changes that the first one sends', async () => {
    await newAccount();
    const policy = await admin.create('/ip_policies', {});
    const destination = await admin.create('/event_destinations', { target });
    await finished(admin, await subscribeTo([destination], 'updated', 'snapshot'));
    await admin.patch(policy.path, { description: 'two' });
    const release = await hold(api.store, [policy.id]);
    const second = await subscribeTo([destination], 'created', 'snapshot');
    await release();
    await admin.patch(policy.path, { description: 'three' });
    await finished(admin, second);
    await admin.patch(policy.path, { description: 'four' });
    const events = (await eventsFor(api.store, destination.id)).map(([type, , version]) => `${type} ${version}`);
    expect(events.filter((event) => event.startsWith('ip_policy_updated'))).toEqual([
      'ip_policy_updated 2',
      'ip_policy_updated 3',
      'ip_policy_updated 4',
    ]);
    const repeated = events.findLastIndex((event) => event.startsWith('ip_policy_snapshot'));
    expect(events.filter((event) => event.startsWith('ip_policy_snapshot'))).toHaveLength(2);
    // The state at that place: as after the change before it.
    expect(events[repeated]?.at(-1)).toBe(events[repeated - 1]?.at(-1));
  });

  it('reports the children of a resource that is deleted with them', async () => {
    await newAccount();
    const edges = [await admin.create('/edges/https', {}), await admin.create('/edges/https', {})];
    const match = { match_type: 'path_prefix', match: '/' };
    const routes: Created[] = [];
    for (const { path } of edges) routes.push(await admin.create(`${path}/routes`, match));
    const release = await hold(api.store, [edges[0]?.id ?? '', routes[0]?.id ?? '']);
    const { destination, subscription } = await subscribe(admin, sourcesOf('https_edge', 'https_edge_route'));
    await admin.delete(edges[1]?.path ?? '');
    expect(await eventsFor(api.store, destination.id)).toEqual([
      ['https_edge_route_snapshot', routes[1]?.id, 1],
      ['https_edge_route_deleted', routes[1]?.id, 2],
      ['https_edge_snapshot', edges[1]?.id, 1],
      ['https_edge_deleted', edges[1]?.id, 2],
    ]);
    await release();
    await finished(admin, subscription);
  });

  it('goes to new destinations only', async () => {
    await newAccount();
    const policy = await admin.create('/ip_policies', {});
    const { destination, subscription } = await subscribe(admin, sourcesOf('ip_policy'));
    await finished(admin, subscription);
    const other = await admin.create('/event_destinations', { target });
    await admin.patch(subscription.path, { destination_ids: [destination.id, other.id] });
    expect(await finished(admin, subscription)).toMatchObject([
      { destinations: [{ id: other.id }] },
      { destinations: [{ id: destination.id }] },
    ]);
    await admin.patch(subscription.path, { description: 'no new route' });
    expect(await snapshotsOf(admin, subscription)).toHaveLength(2);
    for (const { id } of [destination, other])
      expect(await eventsFor(api.store, id)).toEqual([['ip_policy_snapshot', policy.id, 1]]);
  });

  it('ends when its source or its subscription is removed', async () => {
    await newAccount();
    const policy = await admin.create('/ip_policies', {});
    const release = await hold(api.store, [policy.id]);
    const { destination, subscription } = await subscribe(admin, sourcesOf('ip_policy'));
    const gone = await subscribe(admin, sourcesOf('ip_policy'));
    await admin.delete(`${subscription.path}/sources/ip_policy_snapshot.v0`);
    expect((await admin.delete(gone.subscription.path)).status).toBe(204);
    // A step that began before cannot end well while the resource is held.
    expect(await finished(admin, subscription)).toMatchObject([{ resources_passed: 0 }]);
    await release();
    await admin.patch(policy.path, { description: 'changed' });
    expect(await eventsFor(api.store, destination.id)).toEqual([['ip_policy_updated', policy.id, 2]]);
    expect(await eventsFor(api.store, gone.destination.id)).toEqual([]);
  });

  it('begins again where its source is removed and added again', async () => {
    await newAccount();
    const policy = await admin.create('/ip_policies', {});
    const release = await hold(api.store, [policy.id]);
    const { destination, subscription } = await subscribe(admin, sourcesOf('ip_policy'));
    const other = await admin.create('/event_destinations', { target });
    await admin.delete(`${subscription.path}/sources/ip_policy_snapshot.v0`);
    await admin.patch(subscription.path, {
      sources: sourcesOf('ip_policy'),
      destination_ids: [destination.id, other.id],
    });
    await release();
    expect(await finished(admin, subscription)).toMatchObject([
      { destinations: [{ id: destination.id }, { id: other.id }], resources_passed: 1 },
      { resources_passed: 0 },
    ]);
    for (const { id } of [destination, other])
      expect(await eventsFor(api.store, id)).toEqual([['ip_policy_snapshot', policy.id, 1]]);
  });

  it('comes after the earlier events of a resource whose fan-out waits, and before its later ones', async () => {
    await newAccount();
    const [blocked, changed] = [await admin.create('/ip_policies', {}), await admin.create('/ip_policies', {})];
    const before = await subscribe(admin, sourcesOf('ip_policy').slice(0, 3));
    await admin.patch(changed.path, { description: 'waits' });
    // As if the fan-out of this change had been too large for its transaction.
    await api.store.pool.query(
      `with waiting as (delete from deliveries where destination_id = $1 returning *)
       insert into fan_out_parts (event_id, account_id, resource_id, destination_ids, created_at)
       select event_id, account_id, $2, array[destination_id], created_at from waiting`,
      [before.destination.id, changed.id],
    );
    const release = await hold(api.store, [blocked.id]);
    const subscription = await admin.create('/event_subscriptions', {
      sources: sourcesOf('ip_policy'),
      destination_ids: [before.destination.id],
    });
    await admin.patch(changed.path, { description: 'waits behind it' });
    expect(await eventsFor(api.store, before.destination.id)).toEqual([]);
    while ((await deliverNextPart(api.store.db)) !== null);
    expect(await eventsFor(api.store, before.destination.id)).toEqual([
      ['ip_policy_updated', changed.id, 2],
      ['ip_policy_snapshot', changed.id, 2],
      ['ip_policy_updated', changed.id, 3],
    ]);
    await release();
    await finished(admin, subscription);
  });

  it('does not pass a resource whose fan-out waits', async () => {
    await newAccount();
    const policy = await admin.create('/ip_policies', {});
    const { rows } = await api.store.pool.query<{ id: string; account_id: string }>(
      'select id, account_id from events where resource_id = $1',
      [policy.id],
    );
    const [event] = rows;
    const other = await admin.create('/event_destinations', { target });
    await api.store.pool.query(
      `insert into fan_out_parts (event_id, account_id, resource_id, destination_ids, created_at)
       values ($1, $2, $3, array[$4], now())`,
      [event?.id, event?.account_id, policy.id, other.id],
    );
    const { destination, subscription } = await subscribe(admin, sourcesOf('ip_policy'));
    await until(
      async () => (await snapshotsOf(admin, subscription))[0]?.resources_total === 1,
      'the walk has reached the resource',
    );
    expect(await snapshotsOf(admin, subscription)).toMatchObject([{ state: 'running', resources_passed: 0 }]);
    await deliverNextPart(api.store.db);
    await finished(admin, subscription);
    expect(await eventsFor(api.store, destination.id)).toEqual([['ip_policy_snapshot', policy.id, 1]]);
  });

  it('of another account is not shown', async () => {
    await newAccount();
    const { subscription } = await subscribe(admin, sourcesOf('ip_policy'));
    expect((await api.admin.get(`${subscription.path}/snapshots`)).status).toBe(404);
    expect((await admin.get(`${subscription.path}/snapshots?before_id=esb_x`)).status).toBe(400);
  });
});

describe('a snapshot whose process ended', () => {
  it('is continued by the next process, and writes no resource twice', async () => {
    const store = await createTestStore();
    const settings = { ROLES: 'api', RATE_LIMIT_PER_MINUTE: '0' };
    const first = await startTestService(store.connectionString, settings);
    const admin = new TestClient(first.url, ADMIN_KEY);
    const policies: string[] = [];
    for (let count = 0; count < 5; count += 1) policies.push((await admin.create('/ip_policies', {})).id);
    const release = await hold(store, policies.slice(3, 4));
    const { destination, subscription } = await subscribe(admin, sourcesOf('ip_policy'));
    await until(async () => (await snapshotsOf(admin, subscription))[0]?.resources_passed === 3, 'three are written');
    await first.stop();
    await release();
    const second = await startTestService(store.connectionString, settings);
    await finished(new TestClient(second.url, ADMIN_KEY), subscription);
    expect(await eventsFor(store, destination.id)).toEqual(policies.map((id) => ['ip_policy_snapshot', id, 1]));
    await second.stop();
    await store.close();
  });
});

it('a snapshot does not wait for all of another account', async () => {
  const store = await createTestStore();
  const request = async (count: number): Promise<readonly string[]> => {
    const accountId = await seedAccount(store);
    const subscriptionId = `esb_of_${accountId}`;
    await store.pool.query(
      `insert into resources (id, account_id, kind, attributes, created_at, updated_at)
       values ($1, $2, 'event_subscription', '{}', now(), now())`,
      [subscriptionId, accountId],
    );
    const snapshot = {
      account_id: accountId,
      subscription_id: subscriptionId,
      kind: 'ip_policy',
      destination_ids: [],
      operation_id: 'op_1',
      base_url: '',
    };
    await store.db.transaction().execute(async (trx) => {
      for (let made = 0; made < count; made += 1) await new EventSnapshotStore(trx).create(snapshot);
    });
    const { rows } = await store.pool.query<{ id: string }>('select id from event_snapshots where account_id = $1', [
      accountId,
    ]);
    return rows.map(({ id }) => id);
  };
  await request(30);
  const [other] = await request(1);
  const running = await new EventSnapshotStore(store.db).running(20);
  expect(running).toHaveLength(11);
  expect(running.slice(0, 2)).toContain(other);
  await store.close();
});
