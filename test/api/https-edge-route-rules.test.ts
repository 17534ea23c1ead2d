import { createPrivateKey, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Created, JsonObject } from '../support/api-client.js';
import { idpMetadata } from '../support/idp-metadata.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
let edge: Created;
let made = 0;
beforeAll(async () => {
  api = await startTestApi();
  edge = await api.admin.create('/edges/https', {});
});
afterAll(() => api.close());

const makeRoute = (members: JsonObject = {}): Promise<Created> => {
  made += 1;
  return api.admin.create(`${edge.path}/routes`, {
    match_type: 'path_prefix',
    match: `/${made}`,
    ...members,
  });
};
const put = async (module: string, body: JsonObject, path?: string) =>
  api.admin.send('PUT', `${path ?? (await makeRoute()).path}/${module}`, body);
const pointers = (body: JsonObject) => (body.errors as { pointer: string }[]).map(({ pointer }) => pointer);
const secretsOf = (id: string) => api.secrets.load(api.store.db, api.accountId, id);

describe('numbers', () => {
  const uint32 = ['tripped_duration', 'rolling_window', 'volume_threshold'];
  it.each([
    ...uint32.flatMap((name) => [
      [name, 0, 200] as const,
      [name, 4_294_967_295, 200] as const,
      [name, 4_294_967_296, 400] as const,
      [name, -1, 400] as const,
      [name, 1.5, 400] as const,
      [name, '1', 400] as const,
    ]),
    ['num_buckets', 128, 200],
    ['num_buckets', 129, 400],
    ['num_buckets', 1, 200],
    ['num_buckets', 0, 400],
    ['num_buckets', -1, 400],
    ['error_threshold_percentage', 0, 200],
    ['error_threshold_percentage', 0.25, 200],
    ['error_threshold_percentage', 1, 200],
    ['error_threshold_percentage', 1.01, 400],
    ['error_threshold_percentage', 50, 400],
    ['error_threshold_percentage', -0.1, 400],
  ] as const)('of the circuit breaker: %s %j is answered %i', async (name, value, status) => {
    const response = await put('circuit_breaker', { [name]: value });
    expect(response.status).toBe(status);
    if (status === 400) expect(pointers(response.body)).toEqual([`/${name}`]);
    else expect(response.body[name]).toBe(value);
  });

  it.each([
    ['saml', { idp_metadata: idpMetadata() }],
    ['oidc', { issuer_url: 'https://a.example.com', client_id: 'a', client_secret: 'b' }],
    ['oauth', { provider: { amazon: {} }, auth_check_interval: 4_294_967_295 }],
  ])('of the sessions of %s are uint32', async (module, body) => {
    const longest = { inactivity_timeout: 4_294_967_295, maximum_duration: 4_294_967_295 };
    expect((await put(module, { ...body, ...longest })).body).toMatchObject(longest);
    const response = await put(module, { ...body, inactivity_timeout: 4_294_967_296, maximum_duration: -1 });
    expect(pointers(response.body)).toEqual(['/inactivity_timeout', '/maximum_duration']);
  });
});

describe.each(['request_headers', 'response_headers'])('%s', (module) => {
  it.each([
    { 'x-a': 'a\r\nSet-Cookie: b=c' },
    { 'x-a': 'a\nb' },
    { 'x-a': 'a\rb' },
    { 'x-a': 'a\u0000b' },
    { 'x-a\r\nx-b': 'a' },
    { 'x a': 'a' },
    { 'x-a:': 'a' },
    { '': 'a' },
    { 'transfer-encoding': 'chunked' },
    { 'Content-Length': '0' },
    { 'x-a': 'a', 'X-A': 'b' },
  ])('refuses to add headers that could end a header or a message: %j', async (add) => {
    const response = await put(module, { add });
    expect(response.status).toBe(400);
    expect(pointers(response.body)[0]).toMatch(/^\/add\//);
  });

  it.each(['x-a\r\nx-b', 'x\u0000', 'x a', ''])('refuses to remove invalid header names: %j', async (name) => {
    expect(pointers((await put(module, { remove: ['x-a', name] })).body)).toEqual(['/remove/1']);
  });
});

describe('webhook verification', () => {
  it('requires a secret for every provider except the cloud notification service', async () => {
    const missing = await put('webhook_verification', { provider: 'slack' });
    expect([missing.status, missing.body.errors]).toEqual([400, [{ pointer: '/secret', detail: 'is required' }]]);
    const inRoute = await api.admin.post(`${edge.path}/routes`, {
      match_type: 'exact_path',
      match: '/webhook',
      webhook_verification: { provider: 'slack' },
    });
    expect(pointers(inRoute.body)).toEqual(['/webhook_verification/secret']);
    expect((await put('webhook_verification', { provider: 'sns' })).body).toEqual({
      enabled: true,
      provider: 'sns',
      secret: null,
    });
  });

  it('keeps an omitted secret, but not for another provider', async () => {
    const { id, path } = await makeRoute({ webhook_verification: { provider: 'github', secret: 'first' } });
    expect((await put('webhook_verification', { enabled: false, provider: 'github' }, path)).status).toBe(200);
    expect((await secretsOf(id)).get('webhook_verification.secret')).toBe('first');
    const moved = await put('webhook_verification', { provider: 'slack' }, path);
    expect([moved.status, moved.body.errors]).toEqual([
      400,
      [{ pointer: '/secret', detail: 'is required, since provider changed' }],
    ]);
    expect((await put('webhook_verification', { provider: 'sns' }, path)).status).toBe(200);
    expect((await secretsOf(id)).size).toBe(0);
  });

  it('reports a new secret as a change from null to null', async () => {
    const { id, path } = await makeRoute({ webhook_verification: { provider: 'github', secret: 'first' } });
    await put('webhook_verification', { provider: 'github', secret: 'second' }, path);
    const { body } = await api.admin.get('/events?type=https_edge_route_updated.v0&limit=1');
    const [event] = body.events as { payload: { object: JsonObject; changes: JsonObject } }[];
    const shown = { enabled: true, provider: 'github', secret: null };
    expect([event?.payload.object.id, event?.payload.changes]).toEqual([
      id,
      { before: { webhook_verification: shown }, after: { webhook_verification: shown } },
    ]);
    expect((await secretsOf(id)).get('webhook_verification.secret')).toBe('second');
  });

  it('refuses an unknown provider and lists the supported ones', async () => {
    const response = await put('webhook_verification', { provider: 'nobody', secret: 'x' });
    expect([response.status, pointers(response.body)]).toEqual([400, ['/provider']]);
    expect(JSON.stringify(response.body.errors)).toContain('github');
  });
});

describe('oauth', () => {
  const app = { client_id: 'a', client_secret: 'b' };
  it.each([
    [{}, '/provider'],
    [{ provider: {} }, '/provider'],
    [{ provider: { github: null } }, '/provider'],
    [{ provider: { github: {}, google: {} } }, '/provider'],
    [{ provider: { nobody: {}, google: {} } }, '/provider/nobody'],
    [{ provider: { google: { client_id: 'a' } } }, '/provider/google/client_secret'],
    [{ provider: { google: { client_secret: 'a' } } }, '/provider/google/client_id'],
    [{ provider: { google: { scopes: ['email'] } } }, '/provider/google/scopes'],
    [{ provider: { google: { ...app, scopes: ['a b'] } } }, '/provider/google/scopes/0'],
    [{ provider: { google: { teams: [] } } }, '/provider/google/teams'],
    [{ provider: { gitlab: { organizations: ['a'] } } }, '/provider/gitlab/organizations'],
    [{ provider: { github: { teams: ['no-slash'] } } }, '/provider/github/teams/0'],
    [{ provider: { github: { organizations: ['a/b'] } } }, '/provider/github/organizations/0'],
    [{ provider: { twitch: { email_addresses: ['nobody'] } } }, '/provider/twitch/email_addresses/0'],
    [{ provider: { twitch: { email_domains: ['https://a.example'] } } }, '/provider/twitch/email_domains/0'],
    [{ provider: { twitch: {} }, cookie_prefix: 'a;b' }, '/cookie_prefix'],
  ])('refuses %j', async (body, pointer) => {
    const response = await put('oauth', body);
    expect([response.status, pointers(response.body)]).toEqual([400, [pointer]]);
  });

  it.each(['github', 'facebook', 'microsoft', 'google', 'linkedin', 'gitlab', 'twitch', 'amazon'])(
    'accepts %s with the managed app of the service and with an own app',
    async (provider) => {
      expect((await put('oauth', { provider: { [provider]: {} } })).body.provider).toMatchObject({
        [provider]: { client_id: null, client_secret: null, scopes: [] },
      });
      const own = { provider: { [provider]: { ...app, scopes: ['email'] } } };
      expect((await put('oauth', own)).body.provider).toMatchObject({
        [provider]: { client_id: 'a', client_secret: null, scopes: ['email'] },
      });
    },
  );

  it('does not use the secret of one app for another, and removes the secret with the app', async () => {
    const { id, path } = await makeRoute({ oauth: { provider: { google: app } } });
    const kept = await put('oauth', { provider: { google: { client_id: 'a' } } }, path);
    expect(kept.status).toBe(200);
    const moved = await put('oauth', { provider: { google: { client_id: 'other' } } }, path);
    expect(pointers(moved.body)).toEqual(['/provider/google/client_secret']);
    const elsewhere = await put('oauth', { provider: { amazon: { client_id: 'a' } } }, path);
    expect(pointers(elsewhere.body)).toEqual(['/provider/amazon/client_secret']);
    expect((await put('oauth', { provider: { google: {} } }, path)).status).toBe(200);
    expect((await secretsOf(id)).size).toBe(0);
  });
});

describe('oidc', () => {
  const whole = { issuer_url: 'https://a.example.com', client_id: 'a', client_secret: 'b' };
  it.each([
    [{ ...whole, issuer_url: 'http://a.example.com' }, '/issuer_url'],
    [{ ...whole, issuer_url: 'https://user:pw@a.example.com' }, '/issuer_url'],
    [{ ...whole, issuer_url: 'https://a.example.com/?x=1' }, '/issuer_url'],
    [{ ...whole, issuer_url: 'https://a.example.com/#x' }, '/issuer_url'],
    [{ ...whole, client_id: '' }, '/client_id'],
    [{ ...whole, client_secret: null }, '/client_secret'],
  ])('refuses %j', async (body, pointer) => {
    expect(pointers((await put('oidc', body)).body)).toEqual([pointer]);
  });

  it('does not use a stored secret for another issuer', async () => {
    const { path } = await makeRoute({ oidc: whole });
    const moved = await put('oidc', { issuer_url: 'https://evil.example.com', client_id: 'a' }, path);
    expect([moved.status, moved.body.errors]).toEqual([
      400,
      [{ pointer: '/client_secret', detail: 'is required, since issuer_url changed' }],
    ]);
  });
});

describe('saml', () => {
  const settings = { idp_metadata: idpMetadata() };

  it('makes the route a service provider with URLs that contain its id', async () => {
    const { id, path } = await makeRoute();
    const { body } = await put('saml', settings, path);
    const base = `${api.baseUrl}/saml/${id}`;
    expect(body).toMatchObject({
      entity_id: `${base}/metadata`,
      metadata_url: `${base}/metadata`,
      assertion_consumer_service_url: `${base}/acs`,
      single_logout_url: `${base}/slo`,
      idp_metadata_url: '',
    });
    const certificate = new X509Certificate(String(body.request_signing_certificate_pem));
    expect(certificate.subject).toBe(`CN=${id}`);
  });

  it('ignores the members that a response adds, so that a response can be sent back', async () => {
    const { id, path } = await makeRoute();
    const { body } = await put(
      'saml',
      { ...settings, entity_id: 'https://evil.example.com', request_signing_certificate_pem: 'x' },
      path,
    );
    expect(body.entity_id).toBe(`${api.baseUrl}/saml/${id}/metadata`);
    expect(body.request_signing_certificate_pem).toMatch(/^-----BEGIN CERTIFICATE-----/);
  });

  it('keeps its key pair on replacement, and has a new one after removal', async () => {
    const { id, path } = await makeRoute({ saml: settings });
    const first = (await api.admin.get(`${path}/saml`)).body.request_signing_certificate_pem;
    const key = (await secretsOf(id)).get('saml.request_signing_key_pem');
    const replaced = await put('saml', { ...settings, force_authn: true }, path);
    expect(replaced.body.request_signing_certificate_pem).toBe(first);
    const patched = await api.admin.patch(path, { saml: settings, description: 'd' });
    expect((patched.body.saml as JsonObject).request_signing_certificate_pem).toBe(first);
    expect((await secretsOf(id)).get('saml.request_signing_key_pem')).toBe(key);
    await api.admin.delete(`${path}/saml`);
    expect((await secretsOf(id)).size).toBe(0);
    expect((await put('saml', settings, path)).body.request_signing_certificate_pem).not.toBe(first);
  });

  it('has a key that matches its certificate and is unique to the route', async () => {
    const [one, other] = [await makeRoute({ saml: settings }), await makeRoute({ saml: settings })];
    const certificates = [one, other].map(
      ({ saml }) => new X509Certificate(String((saml as JsonObject).request_signing_certificate_pem)),
    );
    const keys = await Promise.all([one, other].map(({ id }) => secretsOf(id)));
    const fits = certificates.map((certificate) =>
      keys.map((secrets) =>
        certificate.checkPrivateKey(createPrivateKey(secrets.get('saml.request_signing_key_pem') ?? '')),
      ),
    );
    expect(fits).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it.each([
    [{}, '/idp_metadata'],
    [{ idp_metadata: '<a/>' }, '/idp_metadata'],
    [{ idp_metadata: `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${idpMetadata()}` }, '/idp_metadata'],
    [{ idp_metadata: idpMetadata({ entityId: 'https://idp.example.com/\u0001' }) }, '/idp_metadata'],
    [{ ...settings, nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos' }, '/nameid_format'],
    [{ ...settings, request_signing_key_pem: 'x' }, '/request_signing_key_pem'],
    [{ ...settings, cookie_prefix: 'a\r\nb' }, '/cookie_prefix'],
  ])('refuses %j', async (body, pointer) => {
    const response = await put('saml', body);
    expect([response.status, pointers(response.body)]).toEqual([400, [pointer]]);
  });

  it('of the largest size fits into its events', async () => {
    const padding = 32_768 + 2 - JSON.stringify(idpMetadata({ inside: '' })).length;
    const sso = idpMetadata().match(/<md:IDP.*IDPSSODescriptor>/)?.[0] ?? '';
    const largest = (letter: string) =>
      idpMetadata({ inside: `${sso}<!--${letter.repeat(padding - JSON.stringify(sso).length + 2 - 7)}-->` });
    const { path } = await makeRoute({ saml: { idp_metadata: largest('a') }, metadata: 'm'.repeat(4096) });
    expect((await put('saml', { idp_metadata: `${largest('a')} ` }, path)).status).toBe(400);
    expect((await put('saml', { idp_metadata: largest('b') }, path)).status).toBe(200);
  });
});

describe('a backend and IP policies', () => {
  it('that do not exist are refused with a pointer, in the module and in the route', async () => {
    expect(pointers((await put('backend', { backend_id: 'bkdhr_none' })).body)).toEqual(['/backend_id']);
    const ids = { ip_policy_ids: [(await api.admin.create('/ip_policies', {})).id, 'ipp_none'] };
    expect(pointers((await put('ip_restriction', ids)).body)).toEqual(['/ip_policy_ids/1']);
    const { path } = await makeRoute();
    expect(pointers((await api.admin.patch(path, { ip_restriction: ids })).body)).toEqual([
      '/ip_restriction/ip_policy_ids/1',
    ]);
  });

  it('cannot be deleted while a route refers to them, and can be after the module is removed', async () => {
    const policy = await api.admin.create('/ip_policies', {});
    const backend = await api.admin.create('/backends/http_response', {});
    const { id, path } = await makeRoute({
      backend: { backend_id: backend.id },
      ip_restriction: { ip_policy_ids: [policy.id] },
    });
    for (const [resource, module] of [
      [policy, 'ip_restriction'],
      [backend, 'backend'],
    ] as const) {
      const refused = await api.admin.delete(resource.path);
      expect([refused.status, refused.body.conflicts]).toEqual([409, [id]]);
      await api.admin.delete(`${path}/${module}`);
      expect((await api.admin.delete(resource.path)).status).toBe(204);
    }
  });
});
