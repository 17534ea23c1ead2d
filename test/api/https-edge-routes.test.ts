import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PAGE_BYTES } from '../../src/database/page-bytes.js';
import type { Created, JsonObject } from '../support/api-client.js';
import { copyRow } from '../support/large-rows.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const makeEdge = (): Promise<Created> => api.admin.create('/edges/https', {});
/** Routes that are larger together than a page. */
const LARGE_ROUTES = 60;

/** Returns the ids of resources, oldest first. */
async function idsOf(where: string): Promise<readonly string[]> {
  const { rows } = await api.store.pool.query<{ id: string }>(`select id from resources ${where} order by id`);
  return rows.map(({ id }) => id);
}

const route = { match_type: 'path_prefix', match: '/api/' };

describe('an HTTPS edge', () => {
  it('is deleted with its routes, whose deleted events precede its own', async () => {
    const edge = await makeEdge();
    const one = await api.admin.create(`${edge.path}/routes`, { ...route, compression: {} });
    const other = await api.admin.create(`${edge.path}/routes`, { ...route, match: '/' });
    const { path: _one, ...shownOne } = one;
    expect((await api.admin.delete(edge.path)).status).toBe(204);
    const { body } = await api.admin.get('/events?limit=3');
    const payloads = (body.events as { payload: JsonObject }[]).map(({ payload }) => payload).toReversed();
    expect(payloads).toMatchObject([
      { event_type: 'https_edge_route_deleted.v0', object: shownOne },
      { event_type: 'https_edge_route_deleted.v0', object: { id: other.id, edge_id: edge.id } },
      { event_type: 'https_edge_deleted.v0', object: { id: edge.id } },
    ]);
    expect(new Set(payloads.map(({ request }) => (request as JsonObject).operation_id)).size).toBe(1);
    for (const path of [one.path, other.path, `${edge.path}/routes`]) {
      expect((await api.admin.get(path)).status).toBe(404);
    }
  });

  it('is deleted after a concurrent change of a route, and the event has the changed route', async () => {
    const edge = await makeEdge();
    const { id } = await api.admin.create(`${edge.path}/routes`, route);
    const { deletion } = await api.store.db.transaction().execute(async (trx) => {
      const last = JSON.stringify({ description: 'last' });
      await sql`update resources set attributes = attributes || ${last}::jsonb where id = ${id}`.execute(trx);
      const begun = api.admin.delete(edge.path);
      await sleep(300);
      return { deletion: begun };
    });
    expect((await deletion).status).toBe(204);
    const { body } = await api.admin.get('/events?limit=1&type=https_edge_route_deleted.v0');
    expect(body.events).toMatchObject([{ payload: { object: { id, description: 'last' } } }]);
  });

  it('is deleted with any number of large routes, of which a page is in memory at once', async () => {
    const edge = await makeEdge();
    const { id } = await api.admin.create(`${edge.path}/routes`, route);
    await copyRow(api.store, 'resources', {
      where: `id = '${id}'`,
      changed: `'id', '${id}' || n, 'attributes',
        row.attributes || jsonb_build_object('match', '/' || n, 'metadata', repeat('x', 50000))`,
      count: LARGE_ROUTES,
    });
    const ids = await idsOf(`where parent_id = '${edge.id}'`);
    const queries = vi.spyOn(pg.Client.prototype, 'query');
    expect((await api.admin.delete(edge.path)).status).toBe(204);
    const results: unknown[] = await Promise.all(queries.mock.results.map(({ value }) => value as unknown));
    queries.mockRestore();
    const sizes = results.map((result) => JSON.stringify((result as { rows?: unknown }).rows ?? null).length);
    expect(Math.max(...sizes)).toBeLessThan(PAGE_BYTES);
    expect(await idsOf(`where parent_id = '${edge.id}'`)).toEqual([]);
    const { rows } = await api.store.pool.query<{ resource_id: string }>(
      `select resource_id from events where type = 'https_edge_route_deleted.v0' and resource_id = any($1) order by id`,
      [ids],
    );
    expect(rows.map(({ resource_id }) => resource_id)).toEqual(ids);
  });

  it('is deleted by fewer statements than routes, with filters and fields too', async () => {
    const type = 'https_edge_route_deleted.v0';
    const target = { monitoring: { api_key: '0123456789abcdef0123456789abcdef' } };
    const [whole, part] = [
      await api.admin.create('/event_destinations', { target }),
      await api.admin.create('/event_destinations', { target }),
    ];
    await api.admin.create('/event_subscriptions', { sources: [{ type }], destination_ids: [whole.id] });
    const source = { type, filter: 'object.match != "/7"', fields: { exclude: ['/object/match'] } };
    await api.admin.create('/event_subscriptions', { sources: [source], destination_ids: [part.id] });
    const edge = await makeEdge();
    const { id } = await api.admin.create(`${edge.path}/routes`, route);
    await copyRow(api.store, 'resources', {
      where: `id = '${id}'`,
      changed: `'id', '${id}' || n, 'attributes', row.attributes || jsonb_build_object('match', '/' || n)`,
      count: LARGE_ROUTES,
    });
    const queries = vi.spyOn(pg.Client.prototype, 'query');
    expect((await api.admin.delete(edge.path)).status).toBe(204);
    const statements = queries.mock.calls.length;
    queries.mockRestore();
    expect(statements).toBeLessThan(LARGE_ROUTES);
    const received = async (destination: Created) => {
      const { rows } = await api.store.pool.query<{ match: string | null }>(
        `select coalesce(p.payload, e.payload)::json #>> '{object,match}' as match
         from deliveries d join events e on e.id = d.event_id
         left join event_projections p on p.event_id = e.id and d.destination_id = any(p.destination_ids)
         where d.destination_id = $1 and e.resource_id like $2 || '%' order by d.id`,
        [destination.id, id],
      );
      return rows.map(({ match }) => match);
    };
    const copies = Array.from({ length: LARGE_ROUTES }, (_, index) => `/${index + 1}`);
    expect(await received(whole)).toHaveLength(LARGE_ROUTES + 1);
    expect(new Set(await received(whole))).toEqual(new Set([route.match, ...copies]));
    expect(await received(part)).toEqual(Array.from({ length: LARGE_ROUTES }, () => null));
  });

  it.each([
    ['app.example.com', 'without a port'],
    ['app.example.com:0', 'with a port that is none'],
    ['a.*.example.com:443', 'with a wildcard in the middle'],
    ['https://app.example.com:443', 'as a URL'],
    ['app_1.example.com\r\n:443', 'with a line break'],
  ])('does not serve %j: %s', async (hostport) => {
    const response = await api.admin.post('/edges/https', { hostports: ['a.example.com:443', hostport] });
    expect([response.status, response.body.errors]).toMatchObject([400, [{ pointer: '/hostports/1' }]]);
  });

  it('cannot serve a name or wildcard that another account has reserved, and keeps its hostports', async () => {
    const stranger = await api.addAccount();
    const early = await api.admin.create('/edges/https', { hostports: ['early.foreign.example.org:443'] });
    for (const domain of ['app.foreign.example.org', '*.foreign.example.org'])
      await stranger.create('/reserved_domains', { domain });
    const statusOf = async (...hostports: readonly string[]) =>
      (await api.admin.post('/edges/https', { hostports })).status;
    expect(await statusOf('APP.foreign.example.org:443')).toBe(409);
    expect(await statusOf('other.example.org:443', 'any.foreign.example.org:8443')).toBe(409);
    expect(await statusOf('*.foreign.example.org:443')).toBe(409);
    expect(await statusOf('foreign.example.org:443', 'deep.any.foreign.example.org:443')).toBe(201);
    const change = (hostports: readonly string[]) => api.admin.patch(early.path, { hostports });
    expect((await change(['early.foreign.example.org:443', 'x.example.org:1'])).status).toBe(200);
    const refused = await change(['early.foreign.example.org:443', 'app.foreign.example.org:443']);
    expect([refused.status, refused.body.error_code, refused.body.conflicts]).toEqual([409, 'conflict', undefined]);
    expect(refused.body.detail).toBe('The host of app.foreign.example.org:443 is reserved by another account.');
  });

  it('clears its hostports when they are null', async () => {
    const { path } = await api.admin.create('/edges/https', { hostports: ['a.example.com:443'] });
    expect((await api.admin.patch(path, { hostports: null })).body.hostports).toBeNull();
  });
});

describe('an HTTPS edge route', () => {
  it('belongs to its edge: the response names the edge, and a body must not contradict the path', async () => {
    const edge = await makeEdge();
    const response = await api.admin.post(`${edge.path}/routes`, { ...route, edge_id: edge.id });
    expect([response.status, response.body.edge_id]).toEqual([201, edge.id]);
    const wrong = await api.admin.post(`${edge.path}/routes`, { ...route, edge_id: 'edghts_other' });
    expect([wrong.status, wrong.body.errors]).toMatchObject([400, [{ pointer: '/edge_id' }]]);
  });

  it('cannot be created, listed, read, changed or deleted under another edge', async () => {
    const [edge, other] = [await makeEdge(), await makeEdge()];
    const { id, path } = await api.admin.create(`${edge.path}/routes`, route);
    const policy = await api.admin.create('/ip_policies', {});
    for (const wrong of [other.path, '/edges/https/edghts_none', `/edges/https/${policy.id}`]) {
      for (const response of [
        await api.admin.get(`${wrong}/routes/${id}`),
        await api.admin.patch(`${wrong}/routes/${id}`, { match: '/x' }),
        await api.admin.delete(`${wrong}/routes/${id}`),
      ]) {
        expect(response.status).toBe(404);
      }
    }
    expect((await api.admin.get(`${other.path}/routes`)).body.routes).toEqual([]);
    expect((await api.admin.get('/edges/https/edghts_none/routes')).status).toBe(404);
    expect((await api.admin.post(`/edges/https/${policy.id}/routes`, route)).status).toBe(404);
    expect((await api.admin.get(path)).body).toMatchObject(route);
  });

  it('of another account is not found, nor is its edge', async () => {
    const stranger = await api.addAccount();
    const edge = await makeEdge();
    const { path } = await api.admin.create(`${edge.path}/routes`, route);
    for (const response of [
      await stranger.get(path),
      await stranger.get(`${edge.path}/routes`),
      await stranger.post(`${edge.path}/routes`, { ...route, match: '/theirs' }),
      await stranger.patch(path, { match: '/theirs' }),
      await stranger.delete(path),
    ]) {
      expect(response.status).toBe(404);
    }
  });

  it('is listed in pages of its edge only', async () => {
    const edge = await makeEdge();
    for (const match of ['/1', '/2', '/3']) await api.admin.create(`${edge.path}/routes`, { ...route, match });
    const first = await api.admin.get(`${edge.path}/routes?limit=2`);
    expect(first.body.routes).toMatchObject([{ match: '/3' }, { match: '/2' }]);
    expect(String(first.body.next_page_uri)).toContain(`${edge.path}/routes?`);
    const second = await api.admin.get(String(first.body.next_page_uri));
    expect([second.body.routes, second.body.next_page_uri]).toMatchObject([[{ match: '/1' }], null]);
  });

  it('is unique within its edge by match_type and match', async () => {
    const [edge, other] = [await makeEdge(), await makeEdge()];
    await api.admin.create(`${edge.path}/routes`, route);
    const second = await api.admin.create(`${edge.path}/routes`, { ...route, match_type: 'exact_path' });
    await api.admin.create(`${other.path}/routes`, route);
    await api.admin.create(`${edge.path}/routes`, { ...route, match: 'App.example.com/' });
    for (const response of [
      await api.admin.post(`${edge.path}/routes`, route),
      await api.admin.post(`${edge.path}/routes`, { ...route, match: 'app.example.com/' }),
      await api.admin.patch(second.path, { match_type: 'path_prefix' }),
    ]) {
      expect([response.status, response.body.error_code]).toEqual([409, 'conflict']);
      expect(response.body.detail).toContain('path_prefix');
    }
    expect((await api.admin.get(second.path)).body.match_type).toBe('exact_path');
  });

  it('stays unique after fifty concurrent requests', async () => {
    const edge = await makeEdge();
    const responses = await Promise.all(Array.from({ length: 50 }, () => api.admin.post(`${edge.path}/routes`, route)));
    const counted = [201, 409].map((wanted) => responses.filter(({ status }) => status === wanted).length);
    expect(counted).toEqual([1, 49]);
  });

  it('never remains without its edge when the edge is deleted concurrently', async () => {
    for (let round = 0; round < 10; round += 1) {
      const edge = await makeEdge();
      const [made, deleted] = await Promise.all([
        api.admin.post(`${edge.path}/routes`, route),
        api.admin.delete(edge.path),
      ]);
      expect([201, 404]).toContain(made.status);
      expect(deleted.status).toBe(204);
      const { body } = await api.admin.get('/events?limit=20');
      const types = (body.events as { payload: JsonObject }[])
        .filter(({ payload }) => (payload.object as JsonObject).edge_id === edge.id)
        .map(({ payload }) => payload.event_type);
      expect(types.length).toBe(made.status === 201 ? 2 : 0);
    }
  });

  it.each([
    [{ match: '/a' }, '/match_type'],
    [{ match_type: 'path_prefix' }, '/match'],
    [{ match_type: 'regex', match: '/a' }, '/match_type'],
    [{ match_type: 'exact_path', match: '/a\r\nHost: evil' }, '/match'],
    [{ match_type: 'exact_path', match: null }, '/match'],
  ])('is refused when created with %j', async (body, pointer) => {
    const { path } = await makeEdge();
    const response = await api.admin.post(`${path}/routes`, body);
    expect([response.status, response.body.errors]).toMatchObject([400, [{ pointer }]]);
  });

  it('counts the longest match in bytes', async () => {
    const { path } = await makeEdge();
    const longest = `/${'é'.repeat(1023)}a`;
    expect((await api.admin.post(`${path}/routes`, { ...route, match: longest })).status).toBe(201);
    expect((await api.admin.post(`${path}/routes`, { ...route, match: `${longest}b` })).status).toBe(400);
  });

  it('accepts its GET response without read-only fields as an update that changes nothing', async () => {
    const edge = await makeEdge();
    const created = await api.admin.create(`${edge.path}/routes`, {
      ...route,
      circuit_breaker: { tripped_duration: 5 },
      request_headers: { add: { 'x-a': 'b' } },
      webhook_verification: { provider: 'github', secret: 'whsec' },
      oauth: { provider: { gitlab: { client_id: 'a', client_secret: 'b', scopes: ['openid'] } } },
      oidc: { issuer_url: 'https://login.example.com/t/1', client_id: 'a', client_secret: 'b' },
      user_agent_filter: { deny: ['bot'] },
    });
    const { path, id: _id, uri: _uri, created_at: _at, ...rest } = created;
    const response = await api.admin.patch(path, rest);
    expect([response.status, response.headers.get('etag')]).toEqual([200, '"v1"']);
    expect(response.body).toEqual((await api.admin.get(path)).body);
  });
});
