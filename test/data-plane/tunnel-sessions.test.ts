import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/ids/id.js';
import { endpoint } from '../../src/resources/families/endpoints/endpoint.js';
import { tunnelSession } from '../../src/resources/families/tunnel-sessions/tunnel-session.js';
import { tunnel } from '../../src/resources/families/tunnels/tunnel.js';
import type { JsonObject } from '../support/api-client.js';
import { startTestApi, type TestApi, type TestDataPlane } from '../support/test-api.js';
import { eventTypesAbout, freshUrl, testSession } from './data-plane-session.js';

let api: TestApi;
let plane: TestDataPlane;
beforeAll(async () => {
  api = await startTestApi();
  plane = await api.startDataPlane();
});
afterAll(() => api.close());

const idsOf = ({ tunnels, endpoints }: { tunnels: JsonObject[]; endpoints: JsonObject[] }) =>
  [...tunnels, ...endpoints].map(({ id }) => String(id));

describe('a reported session', () => {
  it('exists with its tunnels and endpoints, each with the fields of its family', async () => {
    const session = testSession(api, plane);
    const response = await session.report();
    expect(response.status).toBe(200);
    const shown = await session.read();
    expect(shown.session.body).toMatchObject({
      id: session.id,
      uri: `${api.baseUrl}/tunnel_sessions/${session.id}`,
      region: 'eu',
      agent_version: '3.9.0',
      ip: '192.0.2.7',
      os: 'linux',
      transport: 'tls',
      metadata: '{"host":"laptop"}',
      principal: null,
    });
    const ref = { id: session.id, uri: `${api.baseUrl}/tunnel_sessions/${session.id}` };
    const web = shown.tunnels.find(({ public_url: url }) => url === session.url);
    const labelled = shown.tunnels.find(({ public_url: url }) => url === null);
    const [served] = shown.endpoints;
    expect(web).toMatchObject({
      proto: 'https',
      region: 'eu',
      metadata: '{"a":1}',
      forwards_to: 'http://localhost:3000',
      labels: {},
      backends: [],
      tunnel_session: ref,
      endpoint: { id: served?.id, uri: served?.uri },
    });
    expect(labelled).toMatchObject({
      proto: null,
      endpoint: null,
      labels: { app: 'shop', env: session.id },
      forwards_to: 'localhost:4000',
    });
    expect(shown.endpoints).toMatchObject([
      {
        type: 'ephemeral',
        url: session.url,
        name: 'web',
        region: 'eu',
        upstream_url: 'http://localhost:3000',
        tunnel: { id: web?.id, uri: web?.uri },
        tunnel_session: ref,
      },
    ]);
    expect(response.body).toMatchObject({
      id: session.id,
      tunnels: [
        { name: 'api', id: labelled?.id, endpoint_id: null },
        { name: 'web', id: web?.id, endpoint_id: served?.id },
      ],
    });
    expect(tunnelSession.read.safeParse(shown.session.body).error).toBeUndefined();
    for (const one of shown.tunnels) expect(tunnel.read.safeParse(one).error).toBeUndefined();
    expect(endpoint.read.safeParse(served).error).toBeUndefined();
    expect((await api.admin.get(`/tunnels/${String(web?.id)}`)).body).toEqual(web);
  });

  it('emits an event for each resource, with the system as principal and the GET response', async () => {
    const session = testSession(api, plane);
    await session.report();
    const shown = await session.read();
    expect((await eventTypesAbout(api, [session.id, ...idsOf(shown)])).toSorted()).toEqual([
      'endpoint_created.v0',
      'tunnel_created.v0',
      'tunnel_created.v0',
      'tunnel_session_created.v0',
    ]);
    const list = await api.admin.get('/events?type=endpoint_created.v0&limit=1');
    const [event] = list.body.events as { payload: JsonObject }[];
    expect(event?.payload).toMatchObject({
      account_id: api.accountId,
      object: shown.endpoints[0],
      principal: { id: 'system', subject: 'system:data_plane', credential: null },
      request: { ip: null, user_agent: null },
    });
  });

  it('is renewed by an unchanged report, which emits nothing', async () => {
    const session = testSession(api, plane);
    const first = await session.report();
    const before = await session.read();
    const ids = [session.id, ...idsOf(before)];
    const events = await eventTypesAbout(api, ids);
    const again = await session.report({ ttl_seconds: 600 });
    expect(again.body).toMatchObject({ tunnels: first.body.tunnels });
    expect(String(again.body.expires_at) > String(first.body.expires_at)).toBe(true);
    // A changed report and the original one: each compares the tunnels one by one.
    await session.report({ os: 'darwin' });
    await session.report();
    expect(await eventTypesAbout(api, idsOf(before))).toHaveLength(events.length - 1);
    const { tunnels, endpoints } = await session.read();
    expect({ tunnels, endpoints }).toEqual({ tunnels: before.tunnels, endpoints: before.endpoints });
  });

  it('is updated only where a report differs', async () => {
    const session = testSession(api, plane);
    await session.report();
    const before = await session.read();
    const web = { name: 'web', public_url: session.url, forwards_to: 'http://localhost:3001' };
    await session.report({ tunnels: [web, { name: 'new', labels: { app: 'new' } }] });
    const after = await session.read();
    const kept = after.tunnels.find(({ public_url: url }) => url === session.url);
    const gone = before.tunnels.find(({ public_url: url }) => url === null);
    expect(before.tunnels.map(({ id }) => id)).toContain(kept?.id);
    expect(kept).toMatchObject({ forwards_to: 'http://localhost:3001', metadata: null });
    expect(after.endpoints).toMatchObject([
      { id: before.endpoints[0]?.id, upstream_url: 'http://localhost:3001', metadata: null },
    ]);
    expect(await eventTypesAbout(api, [String(gone?.id)])).toEqual(['tunnel_created.v0', 'tunnel_deleted.v0']);
    expect(await eventTypesAbout(api, [String(kept?.id)])).toEqual(['tunnel_created.v0', 'tunnel_updated.v0']);
    expect(await eventTypesAbout(api, [session.id])).toEqual(['tunnel_session_created.v0']);
  });

  it('can move a URL from one tunnel to another', async () => {
    const session = testSession(api, plane);
    const [one, two] = [freshUrl(), freshUrl()];
    const at = (first: string, second: string) => ({
      tunnels: [
        { name: 'a', public_url: first },
        { name: 'b', public_url: second },
      ],
    });
    await session.report(at(one, two));
    expect((await session.report(at(two, one))).status).toBe(200);
    const { endpoints } = await session.read();
    expect(Object.fromEntries(endpoints.map(({ name, url }) => [name, url]))).toEqual({ a: two, b: one });
  });

  it('is deleted with its tunnels and endpoints when it ends, and its URLs are free', async () => {
    const session = testSession(api, plane);
    await session.report();
    const before = await session.read();
    expect((await session.end()).status).toBe(204);
    const after = await session.read();
    expect([after.session.status, after.tunnels, after.endpoints]).toEqual([404, [], []]);
    for (const { uri } of [...before.tunnels, ...before.endpoints]) {
      expect((await api.admin.get(String(uri))).status).toBe(404);
    }
    const types = await eventTypesAbout(api, [session.id, ...idsOf(before)]);
    expect(types.filter((type) => type.includes('_deleted')).toSorted()).toEqual([
      'endpoint_deleted.v0',
      'tunnel_deleted.v0',
      'tunnel_deleted.v0',
      'tunnel_session_deleted.v0',
    ]);
    expect((await session.end()).status).toBe(404);
    expect((await session.renew(60)).status).toBe(404);
    expect((await api.admin.post('/endpoints', { url: session.url })).status).toBe(201);
  });

  it('belongs to one account, and is not visible to another', async () => {
    const stranger = await api.addAccount();
    const session = testSession(api, plane);
    await session.report();
    expect((await stranger.get(`/tunnel_sessions/${session.id}`)).status).toBe(404);
    expect((await stranger.get('/tunnels')).body.tunnels).toEqual([]);
    const other = await api.store.db
      .selectFrom('accounts')
      .select('id')
      .where('id', '<>', api.accountId)
      .executeTakeFirstOrThrow();
    expect((await session.report({ account_id: other.id })).status).toBe(409);
  });

  it('names the user or bot that its agent runs for, which owns the endpoints', async () => {
    const bot = await api.addBot();
    const session = testSession(api, plane);
    await session.report({ principal_id: bot.botId });
    const { session: response, endpoints } = await session.read();
    expect(response.body.principal).toMatchObject({ id: bot.botId });
    expect(endpoints[0]?.principal).toMatchObject({ id: bot.botId });
  });

  it('is refused as a whole, with pointers to the errors', async () => {
    const session = testSession(api, plane);
    const pointersOf = async (members: JsonObject) => {
      const response = await session.report(members);
      expect(response.status).toBe(400);
      return (response.body.errors as { pointer: string }[]).map(({ pointer }) => pointer);
    };
    const url = freshUrl();
    expect(await pointersOf({ account_id: newId('acct') })).toEqual(['/account_id']);
    expect(await pointersOf({ principal_id: 'bot_nobody' })).toEqual(['/principal_id']);
    expect(await pointersOf({ ttl_seconds: 0, region: 'Moon!', colour: 1 })).toEqual(
      expect.arrayContaining(['/ttl_seconds', '/region', '/colour']),
    );
    expect(await pointersOf({ tunnels: [{ name: 'a' }] })).toEqual(['/tunnels/0/public_url']);
    expect(await pointersOf({ tunnels: [{ name: 'a', public_url: url, labels: { a: 'b' } }] })).toEqual([
      '/tunnels/0/public_url',
    ]);
    expect(await pointersOf({ tunnels: [{ name: 'a', labels: { a: 'b' }, bindings: ['public'] }] })).toEqual([
      '/tunnels/0/bindings',
    ]);
    expect(await pointersOf({ tunnels: [{ name: 'a', public_url: url, proto: 'tcp' }] })).toEqual(['/tunnels/0/proto']);
    expect(
      await pointersOf({
        tunnels: [
          { name: 'z', public_url: url, traffic_policy: 'x' },
          { name: 'a', labels: { a: 'b' } },
        ],
      }),
    ).toEqual(['/tunnels/0/traffic_policy']);
    expect((await session.read()).session.status).toBe(404);
  });
});

describe('an ephemeral endpoint', () => {
  it('cannot be changed or deleted by clients', async () => {
    const session = testSession(api, plane);
    await session.report();
    const { endpoints } = await session.read();
    const uri = String(endpoints[0]?.uri);
    const [changed, deleted] = [await api.admin.patch(uri, { description: 'x' }), await api.admin.delete(uri)];
    expect([changed.status, deleted.status]).toEqual([400, 400]);
    expect(changed.body.detail).toContain('only cloud endpoints');
    expect((await session.read()).endpoints).toEqual(endpoints);
  });

  it('and a cloud endpoint share a URL only if both allow pooling', async () => {
    const url = freshUrl();
    await api.admin.create('/endpoints', { url, pooling_enabled: true });
    const session = testSession(api, plane);
    const tunnels = (pooled: boolean) => [{ name: 'a', public_url: url, pooling_enabled: pooled }];
    expect((await session.report({ tunnels: tunnels(false) })).status).toBe(409);
    expect((await session.report({ tunnels: tunnels(true) })).status).toBe(200);
    expect((await session.read()).endpoints).toMatchObject([{ url, pooling_enabled: true }]);
  });

  it('refers to the reserved domain of its host', async () => {
    const session = testSession(api, plane);
    const domain = await api.admin.create('/reserved_domains', { domain: new URL(session.url).host });
    await session.report();
    expect((await session.read()).endpoints).toMatchObject([{ domain: { id: domain.id } }]);
    expect((await api.admin.delete(domain.path)).status).toBe(409);
    await session.end();
    expect((await api.admin.delete(domain.path)).status).toBe(204);
  });
});

describe('tunnels and their sessions', () => {
  it('can only be read', async () => {
    for (const path of ['/tunnels', '/tunnel_sessions']) {
      expect((await api.admin.get(path)).status).toBe(200);
      const response = await api.admin.post(path, {});
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      expect((await api.admin.delete(`${path}/x`)).status).toBe(405);
    }
  });

  it('refer to the tunnel-group backends that their labels match, and the backends to them', async () => {
    const session = testSession(api, plane);
    await session.report();
    const backend = await api.admin.create('/backends/tunnel_group', { labels: { env: session.id } });
    const other = await api.admin.create('/backends/tunnel_group', { labels: { env: session.id, app: 'x' } });
    const { tunnels } = await session.read();
    const labelled = tunnels.find(({ public_url: url }) => url === null);
    expect(labelled?.backends).toEqual([{ id: backend.id, uri: `${api.baseUrl}${backend.path}` }]);
    expect((await api.admin.get(backend.path)).body.tunnels).toEqual([{ id: labelled?.id, uri: labelled?.uri }]);
    expect((await api.admin.get(other.path)).body.tunnels).toEqual([]);
    await session.end();
    expect((await api.admin.get(backend.path)).body.tunnels).toEqual([]);
  });
});

describe('concurrent reports', () => {
  it('of one session result in exactly one of them', async () => {
    const session = testSession(api, plane);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        session.report({ metadata: String(index), tunnels: [{ name: 't', labels: { n: String(index) } }] }),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const { session: response, tunnels } = await session.read();
    expect(tunnels).toHaveLength(1);
    expect(tunnels[0]?.labels).toEqual({ n: response.body.metadata });
  });

  it('for one URL give the URL to one session', async () => {
    const tunnels = [{ name: 'a', public_url: freshUrl() }];
    const sessions = Array.from({ length: 20 }, () => testSession(api, plane));
    const responses = await Promise.all(sessions.map((session) => session.report({ tunnels })));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 409),
    ]);
  });

  it('with the same URLs in another order do not deadlock', async () => {
    const urls = Array.from({ length: 8 }, freshUrl);
    const pooled = urls.map((url, index) => ({ name: `t${index}`, public_url: url, pooling_enabled: true }));
    const sessions = Array.from({ length: 6 }, () => testSession(api, plane));
    const responses = await Promise.all(
      sessions.map((session, index) => session.report({ tunnels: index % 2 === 0 ? pooled : pooled.toReversed() })),
    );
    expect(responses.map(({ status }) => status)).toEqual(sessions.map(() => 200));
  });

  it('while a session is ended leave the whole session or nothing', async () => {
    const session = testSession(api, plane);
    await session.report();
    await Promise.all([
      session.end(),
      session.report({ os: 'a' }),
      session.end(),
      session.report({ os: 'b' }),
      session.renew(30),
    ]);
    const { session: response, tunnels, endpoints } = await session.read();
    expect([tunnels.length, endpoints.length]).toEqual(response.status === 200 ? [2, 1] : [0, 0]);
  });
});
