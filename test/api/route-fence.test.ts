import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Transaction } from '../../src/database/database.js';
import { systemContext } from '../../src/events/envelope/system-context.js';
import { EventRecorder } from '../../src/events/fan-out/event-recorder.js';
import { RouteFence } from '../../src/events/fan-out/route-fence.js';
import type { RequestContext } from '../../src/http/request/request-context.js';
import { httpsEdge } from '../../src/resources/families/https-edges/https-edge.js';
import { ipPolicy } from '../../src/resources/families/ip-policies/ip-policy.js';
import type { ResourceDefinition } from '../../src/resources/framework/definition/definition.js';
import { ResourceWriter } from '../../src/resources/framework/writer/resource-writer.js';
import { until } from '../../tools/harness/until.js';
import type { TestClient, TestResponse } from '../support/api-client.js';
import { fenceLocks, someoneWaitsForFence } from '../support/fence-locks.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const target = { monitoring: { api_key: '0123456789abcdef0123456789abcdef' } };
const source = { type: 'ip_policy_created.v0' };

/** A change that has run its fan-out and has not committed. */
interface OpenChange {
  readonly id: string;
  commit(): Promise<void>;
}

/**
 * Makes a change in a transaction that stays open, until the test ends at the latest: its locks would hold up others.
 * @param change returns the id of the resource
 */
async function openTransaction(
  definition: ResourceDefinition,
  change: (writer: ResourceWriter, trx: Transaction, context: RequestContext) => Promise<string>,
): Promise<OpenChange> {
  const writer = new ResourceWriter(definition, {
    secrets: api.secrets,
    recorder: new EventRecorder(),
    addresses: { saml: 'https://api.example.com' },
  });
  const context = systemContext(api.accountId, 'test', api.baseUrl);
  return new Promise((resolve, reject) => {
    let end = (): void => {};
    const ended = new Promise<void>((done) => (end = done));
    const commit = () => {
      end();
      return committed;
    };
    const committed = api.store.db.transaction().execute(async (trx) => {
      const id = await change(writer, trx, context);
      resolve({ id, commit });
      await ended;
    });
    committed.catch(reject);
    onTestFinished(() => commit().catch(() => {}));
  });
}

/** Creates an IP policy in a transaction that stays open. */
function openChange(): Promise<OpenChange> {
  return openTransaction(ipPolicy, async (writer, trx, context) => {
    const { row } = await writer.create(trx, context, { description: 'open', metadata: '' });
    return row.id;
  });
}

/** Creates an edge with a route. Returns its id. */
async function edgeWithRoute(): Promise<string> {
  const { id, path } = await api.admin.create('/edges/https', {});
  await api.admin.create(`${path}/routes`, { match_type: 'exact_path', match: '/' });
  return id;
}

/** Deletes an edge in a transaction that stays open. */
function openDeletion(id: string): Promise<OpenChange> {
  return openTransaction(httpsEdge, async (writer, trx, context) => {
    await writer.remove(trx, context, id);
    return id;
  });
}

async function listedPolicies(): Promise<readonly string[]> {
  const { ip_policies: policies } = (await api.admin.get('/ip_policies?limit=100')).body as {
    ip_policies: { id: string }[];
  };
  return policies.map(({ id }) => id);
}

/** Changes of routes, each of a new subscription. */
const routeChanges: readonly { name: string; start: () => Promise<() => Promise<TestResponse>> }[] = [
  {
    name: 'the create of a subscription',
    start: async () => {
      const { id } = await api.admin.create('/event_destinations', { target });
      return () => api.admin.post('/event_subscriptions', { sources: [source], destination_ids: [id] });
    },
  },
  {
    name: 'a new source',
    start: async () => {
      const { id } = await api.admin.create('/event_destinations', { target });
      const { path } = await api.admin.create('/event_subscriptions', { destination_ids: [id] });
      return () => api.admin.post(`${path}/sources`, source);
    },
  },
  {
    name: 'an update of the sources',
    start: async () => {
      const { id } = await api.admin.create('/event_destinations', { target });
      const { path } = await api.admin.create('/event_subscriptions', { destination_ids: [id] });
      return () => api.admin.patch(path, { sources: [source] });
    },
  },
  {
    name: 'an update of the destinations',
    start: async () => {
      const { id } = await api.admin.create('/event_destinations', { target });
      const { path } = await api.admin.create('/event_subscriptions', { sources: [source] });
      return () => api.admin.patch(path, { destination_ids: [id] });
    },
  },
];

describe('the fence between fan-outs and new routes', () => {
  it.each(routeChanges)('lets $name wait for a change whose fan-out has not seen the routes', async ({ start }) => {
    const changeRoutes = await start();
    const open = await openChange();
    let answered = false;
    const answer = changeRoutes().finally(() => (answered = true));
    await until(() => someoneWaitsForFence(api.store), 'the change of routes waits for the fence');
    expect([answered, await listedPolicies()]).toEqual([false, expect.not.arrayContaining([open.id])]);
    await open.commit();
    expect((await answer).status).toBeLessThan(300);
    expect(await listedPolicies()).toContain(open.id);
  });

  it('lets only changes of the same account wait for a deletion that records many events', async () => {
    const deleted = { type: 'https_edge_route_deleted.v0' };
    const subscribe = async (client: TestClient) => {
      const { id } = await client.create('/event_destinations', { target });
      const answer = client.post('/event_subscriptions', { sources: [deleted], destination_ids: [id] });
      return { id, answer };
    };
    const other = await api.addAccount();
    const open = await openDeletion(await edgeWithRoute());
    const own = await subscribe(api.admin);
    await until(() => someoneWaitsForFence(api.store), 'the subscription of the account waits for the deletion');
    expect((await (await subscribe(other)).answer).status).toBe(201);
    expect((await api.admin.post('/ip_policies', {})).status).toBe(201);
    await open.commit();
    expect((await own.answer).status).toBe(201);
    const missed = await api.admin.get(`/event_destinations/${own.id}/deliveries`);
    expect(missed.body).toMatchObject({ deliveries: [] });
  });

  it('holds a deletion that records many events back until the new routes are committed', async () => {
    const { id } = await api.admin.create('/event_destinations', { target });
    const edgeId = await edgeWithRoute();
    let deletion: Promise<OpenChange> | undefined;
    await api.store.db.transaction().execute(async (trx) => {
      const route = { account_id: api.accountId, destination_id: id, subscription_id: id };
      const types = ['https_edge_route_deleted.v0', 'https_edge_deleted.v0'];
      await trx
        .insertInto('event_routes')
        .values(types.map((type) => ({ ...route, event_type: type })))
        .execute();
      await new RouteFence(trx, api.accountId).close();
      deletion = openDeletion(edgeId);
      await until(() => someoneWaitsForFence(api.store), 'the deletion waits for the routes');
    });
    await (await deletion)?.commit();
    const { deliveries } = (await api.admin.get(`/event_destinations/${id}/deliveries`)).body as {
      deliveries: readonly { event_type: string }[];
    };
    expect(deliveries.map(({ event_type: type }) => type).toSorted()).toEqual([
      'https_edge_deleted.v0',
      'https_edge_route_deleted.v0',
    ]);
  });

  it('does not concern an update without new routes', async () => {
    const { id } = await api.admin.create('/event_destinations', { target });
    const routes = { sources: [source, { type: 'ip_policy_deleted.v0' }], destination_ids: [id] };
    const { path } = await api.admin.create('/event_subscriptions', routes);
    const open = await openChange();
    expect((await api.admin.patch(path, { description: 'renamed', ...routes })).status).toBe(200);
    expect((await api.admin.delete(`${path}/sources/${source.type}`)).status).toBe(204);
    await open.commit();
  });

  it('refuses new routes while a change stays open, and leaves the transaction usable until its end', async () => {
    const open = await openChange();
    const refused = api.store.db.transaction().execute(async (trx) => {
      await sql`create table only_in_this_transaction ()`.execute(trx);
      const error: unknown = await new RouteFence(trx, api.accountId, [1, 1])
        .close()
        .catch((reason: unknown) => reason);
      await sql`select from only_in_this_transaction`.execute(trx);
      throw error;
    });
    await expect(refused).rejects.toMatchObject({ code: 'changes_in_progress', retryAfterSeconds: 5 });
    await open.commit();
    await api.store.db.transaction().execute(async (trx) => {
      await new RouteFence(trx, api.accountId, [1]).close();
      const { rows } = await sql<{ lock_timeout: string }>`show lock_timeout`.execute(trx);
      expect([rows, await fenceLocks(api.store)]).toEqual([
        [{ lock_timeout: '0' }],
        [{ mode: 'ExclusiveLock', granted: true }],
      ]);
    });
  });

  /** A subscription whose source gets fields, which its destination has not had before. */
  const firstFields = async () => {
    const { id } = await api.admin.create('/event_destinations', { target });
    const { path } = await api.admin.create('/event_subscriptions', { sources: [source], destination_ids: [id] });
    const change = () =>
      api.admin.patch(`${path}/sources/${source.type}`, { fields: { exclude: ['/object/metadata'] } });
    return { id, change };
  };
  const lockedLane = (id: string, how: 'nowait' | '') =>
    sql<{ projected: boolean }>`
      select projected from delivery_lanes where destination_id = ${id} for update ${sql.raw(how)}`;

  it('does not keep the lane of a destination that gets its first fields, while it waits', async () => {
    const { id, change } = await firstFields();
    const open = await openChange();
    const answer = change();
    await until(() => someoneWaitsForFence(api.store), 'the change of the fields waits for the fence');
    const { rows } = await lockedLane(id, 'nowait').execute(api.store.db);
    expect(rows).toEqual([{ projected: false }]);
    await open.commit();
    expect((await answer).status).toBe(200);
    expect((await lockedLane(id, 'nowait').execute(api.store.db)).rows).toEqual([{ projected: true }]);
  });

  it('opens again for a transaction that holds a lane which it would mark, and waits for the fence', async () => {
    const { id, change } = await firstFields();
    let answer: Promise<TestResponse> | undefined;
    await api.store.db.transaction().execute(async (trx) => {
      await lockedLane(id, '').execute(trx);
      answer = change();
      const isClosed = async () => (await fenceLocks(api.store)).some(({ mode }) => mode === 'ExclusiveLock');
      await until(isClosed, 'the fence is closed');
      await sql`select 1 from event_route_fence where false for share`.execute(trx);
    });
    expect((await answer)?.status).toBe(200);
    expect((await lockedLane(id, 'nowait').execute(api.store.db)).rows).toEqual([{ projected: true }]);
  });

  it('is held by a fan-out until its transaction ends, also with a plan that the connection has kept', async () => {
    for (let planned = 0; planned < 7; planned += 1) await (await openChange()).commit();
    const open = await openChange();
    expect(await fenceLocks(api.store)).toEqual([{ mode: 'RowShareLock', granted: true }]);
    await open.commit();
    expect(await fenceLocks(api.store)).toEqual([]);
  });
});
