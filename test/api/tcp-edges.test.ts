import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/test-api.js';

const POLICY = '{"on_tcp_connect":[{"name":"closed","actions":[{"type":"deny"}]}]}';

let api: TestApi;
let backendId: string;
let otherBackendId: string;
let policyIds: readonly string[];
beforeAll(async () => {
  api = await startTestApi();
  backendId = (await api.admin.create('/backends/tunnel_group', { labels: { app: 'db' } })).id;
  otherBackendId = (await api.admin.create('/backends/failover', { backends: [backendId] })).id;
  policyIds = [(await api.admin.create('/ip_policies', {})).id, (await api.admin.create('/ip_policies', {})).id];
});
afterAll(() => api.close());

function backendRef(id: string) {
  const family = id.startsWith('bkdfo_') ? 'failover' : 'tunnel_group';
  return { id, uri: `${api.baseUrl}/backends/${family}/${id}` };
}

function policyRefs(ids: readonly string[]) {
  return ids.map((id) => ({ id, uri: `${api.baseUrl}/ip_policies/${id}` }));
}

let ports = 20_000;

async function wholeEdge() {
  ports += 1;
  return api.admin.create('/edges/tcp', {
    hostports: [`1.tcp.example.com:${ports}`],
    backend: { enabled: false, backend_id: backendId },
    ip_restriction: { ip_policy_ids: policyIds },
    traffic_policy: { value: POLICY },
  });
}

async function lastUpdate(id: string) {
  const { body } = await api.admin.get('/events?type=tcp_edge_updated.v0&limit=1');
  const [event] = body.events as { payload: { object: { id: string }; changes: unknown } }[];
  return event?.payload.object.id === id ? event.payload : null;
}

describe('a TCP edge', () => {
  it('returns its modules with Refs and defaults, and a policy that is always null', async () => {
    const { path, ...created } = await wholeEdge();
    expect(created).toMatchObject({
      hostports: [`1.tcp.example.com:${ports}`],
      backend: { enabled: false, backend: backendRef(backendId) },
      ip_restriction: { enabled: true, ip_policies: policyRefs(policyIds) },
      traffic_policy: { enabled: true, value: POLICY },
      policy: null,
    });
    expect(Object.keys(created.backend as object)).toEqual(['enabled', 'backend']);
    expect((await api.admin.get(path)).body).toEqual(created);
  });

  it('has no modules and no hostports by default', async () => {
    expect(await api.admin.create('/edges/tcp', {})).toMatchObject({
      description: null,
      metadata: null,
      hostports: null,
      backend: null,
      ip_restriction: null,
      traffic_policy: null,
      policy: null,
    });
  });

  it('keeps modules that an update omits or sends as null', async () => {
    const { path, ...created } = await wholeEdge();
    const response = await api.admin.patch(path, {
      description: 'renamed',
      backend: null,
      ip_restriction: null,
      traffic_policy: null,
    });
    expect(response.body).toEqual({ ...created, description: 'renamed' });
  });

  it('replaces a whole module on update, defaults included', async () => {
    const { path, id, ...created } = await wholeEdge();
    const response = await api.admin.patch(path, { backend: { backend_id: otherBackendId } });
    const backend = { enabled: true, backend: backendRef(otherBackendId) };
    expect(response.body).toEqual({ ...created, id, backend });
    expect((await lastUpdate(id))?.changes).toEqual({
      before: { backend: created.backend },
      after: { backend },
    });
  });

  it('cannot serve an address or a domain that another account has reserved', async () => {
    const stranger = await api.addAccount();
    const theirs = await stranger.create('/reserved_addrs', {});
    await stranger.create('/reserved_domains', { domain: 'tcp.foreign.example.org' });
    const own = await api.admin.create('/reserved_addrs', {});
    for (const hostport of [String(theirs.addr), 'tcp.foreign.example.org:1']) {
      const response = await api.admin.post('/edges/tcp', { hostports: [String(own.addr), hostport] });
      expect([response.status, response.body.error_code]).toEqual([409, 'conflict']);
    }
    expect((await api.admin.post('/edges/tcp', { hostports: [String(own.addr)] })).status).toBe(201);
  });

  it('clears its hostports with null, and checks them on update as on create', async () => {
    const { path } = await wholeEdge();
    expect((await api.admin.patch(path, { hostports: null })).body.hostports).toBeNull();
    const response = await api.admin.patch(path, { hostports: ['a.example:1', 'nonsense'] });
    expect(response.body.errors).toMatchObject([{ pointer: '/hostports/1' }]);
  });

  it('prevents the deletion of resources that it refers to', async () => {
    const backend = await api.admin.create('/backends/http_response', {});
    const edge = await api.admin.create('/edges/tcp', { backend: { backend_id: backend.id } });
    const refused = await api.admin.delete(backend.path);
    expect([refused.status, refused.body.conflicts]).toEqual([409, [edge.id]]);
    expect((await api.admin.delete(`${edge.path}/backend`)).status).toBe(204);
    expect((await api.admin.delete(backend.path)).status).toBe(204);
  });

  it.each([
    [{ backend: {} }, '/backend/backend_id'],
    [{ backend: { backend_id: 'bkdfo_00000000000000000000000000' } }, '/backend/backend_id'],
    [{ backend: { backend_id: 1 } }, '/backend/backend_id'],
    [{ backend: { backend_id: 'x', enabled: 'yes' } }, '/backend/enabled'],
    [{ backend: { backend: { id: 'x' }, backend_id: 'x' } }, '/backend/backend'],
    [{ ip_restriction: { enabled: true } }, '/ip_restriction/ip_policy_ids'],
    [{ ip_restriction: { ip_policy_ids: ['ipp_1'] } }, '/ip_restriction/ip_policy_ids/0'],
    [{ traffic_policy: {} }, '/traffic_policy/value'],
    [{ policy: {} }, '/policy'],
    [{ hostports: 'a.example:1' }, '/hostports'],
  ])('is refused with a pointer to the error: %j', async (body, pointer) => {
    const response = await api.admin.post('/edges/tcp', body);
    expect(response.status).toBe(400);
    expect(response.body.errors).toMatchObject([{ pointer }]);
  });

  it('refuses backends and IP policies of another family or account', async () => {
    const stranger = await api.addAccount();
    const theirs = await stranger.create('/backends/failover', {});
    for (const id of [theirs.id, policyIds[0]]) {
      const response = await api.admin.post('/edges/tcp', { backend: { backend_id: id } });
      expect(response.body.errors).toMatchObject([{ pointer: '/backend/backend_id' }]);
    }
  });
});

describe('the traffic policy of a TCP edge', () => {
  it('is refused with a pointer into the document', async () => {
    const value = '{"on_tcp_connect":[{"name":"x","actions":[{"config":{}}]}],"on_http_request":[]}';
    const response = await api.admin.post('/edges/tcp', { traffic_policy: { value } });
    expect(response.status).toBe(400);
    expect(response.body.errors).toEqual([
      {
        pointer: '/traffic_policy/value',
        detail:
          'in the policy, /on_http_request: is a phase of HTTP traffic. The phases of TCP traffic are: on_tcp_connect',
      },
      {
        pointer: '/traffic_policy/value',
        detail: 'in the policy, /on_tcp_connect/0/actions/0/type: is required',
      },
    ]);
    const { path } = await api.admin.create('/edges/tcp', {});
    const module = await api.admin.send('PUT', `${path}/traffic_policy`, { value: '[' });
    expect(module.body.errors).toEqual([
      { pointer: '/value', detail: expect.stringMatching(/^in the policy: is not JSON: /) as string },
    ]);
  });

  it('may be YAML, which is returned as it was given', async () => {
    const value = '# Closed.\non_tcp_connect:\n  - &rule\n    actions: [{type: deny}]\n  - *rule\n';
    const edge = await api.admin.create('/edges/tcp', { traffic_policy: { value } });
    expect(edge.traffic_policy).toEqual({ enabled: true, value });
    expect((await api.admin.get(`${edge.path}/traffic_policy`)).body).toEqual({ enabled: true, value });
    const refused = await api.admin.send('PUT', `${edge.path}/traffic_policy`, {
      value: value.replace('deny', 'deny, type: x'),
    });
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [
        {
          pointer: '/value',
          detail: 'in the policy, /on_tcp_connect/0/actions/0/type: is given more than once',
        },
      ],
    ]);
  });

  it('is stored unchanged, and the largest fits into an event', async () => {
    const filled = (size: number) => {
      const text = `{ "on_tcp_connect": [{"name": "x", "actions": [{"type": "a", "config": {"t": "" } }]}] }`;
      return text.replace('"t": ""', `"t": "${'\\"'.repeat(6000)}"`).padEnd(size, ' \n');
    };
    const edge = await api.admin.create('/edges/tcp', { traffic_policy: { value: filled(24_576) } });
    expect(edge.traffic_policy).toMatchObject({ value: filled(24_576) });
    expect((await api.admin.patch(edge.path, { traffic_policy: { value: POLICY } })).status).toBe(200);
    const response = await api.admin.post('/edges/tcp', { traffic_policy: { value: filled(24_577) } });
    expect(response.body.errors).toEqual([
      { pointer: '/traffic_policy/value', detail: 'must not be longer than 24576 bytes of UTF-8' },
    ]);
  });
});

describe.each([
  ['backend', () => ({ backend_id: otherBackendId }), () => ({ enabled: true, backend: backendRef(otherBackendId) })],
  [
    'ip_restriction',
    () => ({ enabled: false, ip_policy_ids: policyIds.toReversed() }),
    () => ({ enabled: false, ip_policies: policyRefs(policyIds.toReversed()) }),
  ],
  ['traffic_policy', () => ({ value: '{}' }), () => ({ enabled: true, value: '{}' })],
])('the module %s of a TCP edge', (name, body, shown) => {
  it('is replaced, read and removed by its own operations, each an update of the edge', async () => {
    const { path, id, ...created } = await wholeEdge();
    const replaced = await api.admin.send('PUT', `${path}/${name}`, body());
    expect([replaced.status, replaced.body]).toEqual([200, shown()]);
    expect((await lastUpdate(id))?.changes).toEqual({
      before: { [name]: created[name as keyof typeof created] },
      after: { [name]: shown() },
    });
    const read = await api.admin.get(`${path}/${name}`);
    expect([read.status, read.body, read.headers.get('etag')]).toEqual([200, shown(), '"v2"']);
    const removed = await api.admin.delete(`${path}/${name}`);
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await lastUpdate(id))?.changes).toEqual({ before: { [name]: shown() }, after: { [name]: null } });
    expect((await api.admin.get(path)).body).toEqual({ ...created, id, [name]: null });
  });

  it('is a 404 when it is not set, and can be set by PUT', async () => {
    const { path } = await api.admin.create('/edges/tcp', {});
    expect((await api.admin.get(`${path}/${name}`)).status).toBe(404);
    expect((await api.admin.delete(`${path}/${name}`)).status).toBe(404);
    expect((await api.admin.send('PUT', `${path}/${name}`, body())).body).toEqual(shown());
  });

  it('is a 404 for an edge of another account or an unknown edge', async () => {
    const stranger = await api.addAccount();
    const { path } = await wholeEdge();
    for (const where of [path, '/edges/tcp/edgtcp_00000000000000000000000000']) {
      const put = await stranger.send('PUT', `${where}/${name}`, { enabled: true, ...body() });
      const got = await stranger.get(`${where}/${name}`);
      const deleted = await stranger.delete(`${where}/${name}`);
      expect([put.status, got.status, deleted.status]).toEqual([404, 404, 404]);
    }
  });

  it('emits nothing when a replacement changes nothing', async () => {
    const { path, id } = await wholeEdge();
    await api.admin.send('PUT', `${path}/${name}`, body());
    const before = (await api.admin.get('/events?limit=1')).body;
    const again = await api.admin.send('PUT', `${path}/${name}`, body());
    expect([again.status, again.headers.get('etag')]).toEqual([200, '"v2"']);
    expect((await api.admin.get('/events?limit=1')).body).toEqual(before);
    expect(await lastUpdate(id)).not.toBeNull();
  });
});
