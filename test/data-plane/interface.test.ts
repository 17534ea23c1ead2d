import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/ids/id.js';
import { makeCertificate } from '../../tools/harness/certificates.js';
import { TestClient } from '../support/api-client.js';
import { createTestStore } from '../support/database.js';
import { derCertificate, pem } from '../support/der.js';
import { startTestApi, type TestApi, type TestDataPlane } from '../support/test-api.js';
import { ADMIN_KEY, startTestService } from '../support/test-service.js';
import { testSession } from './data-plane-session.js';

let api: TestApi;
let plane: TestDataPlane;
beforeAll(async () => {
  api = await startTestApi();
  plane = await api.startDataPlane({ MAX_BODY_BYTES: '4096' });
});
afterAll(() => api.close());

describe('the data-plane API', () => {
  it.each([
    ['no key', null, 'credentials_missing'],
    ['a wrong key', 'wrong', 'credentials_invalid'],
    ['the beginning of the key', 'test_data_plane_key', 'credentials_invalid'],
    ['an API key', ADMIN_KEY, 'credentials_invalid'],
  ])('refuses requests with %s', async (_, key, code) => {
    const client = new TestClient(plane.client.baseUrl, key);
    const session = testSession(api, plane, client);
    const responses = [
      await session.report(),
      await session.renew(60),
      await session.end(),
      await client.get('/nowhere'),
    ];
    for (const response of responses) {
      expect([response.status, response.body.error_code]).toEqual([401, code]);
      expect(response.headers.get('content-type')).toContain('application/problem+json');
      expect(response.headers.get('www-authenticate')).toContain('Bearer');
    }
    expect((await session.read()).session.status).toBe(404);
  });

  it('slows guesses at its key, and serves the key all the same', async () => {
    const limited = await api.startDataPlane({ UNKNOWN_KEYS_PER_MINUTE: '5' });
    try {
      const { baseUrl } = limited.client;
      const session = testSession(api, limited);
      expect((await session.report()).status).toBe(200);
      const statuses: number[] = [];
      for (let guess = 1; guess <= 8; guess += 1) {
        const response = await new TestClient(baseUrl, `guess-${guess}`).send(
          'PUT',
          `/sessions/${session.id}/lease`,
          {},
        );
        statuses.push(response.status);
        if (response.status === 429) expect(response.body.error_code).toBe('rate_limited');
      }
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
      expect((await session.renew(60)).status).toBe(200);
    } finally {
      await limited.stop();
    }
  });

  it('has a key that is not valid for the public API', async () => {
    const response = await api.client(plane.client.token).get('/tunnels');
    expect(response.status).toBe(401);
  });

  it('returns problem documents for refused requests', async () => {
    const { client } = plane;
    const path = `/sessions/${newId('ts')}`;
    const put = (body: unknown, headers = {}) => client.send('PUT', path, body, headers);
    const cases = [
      [await client.get('/sessions'), 404, 'route_not_found'],
      [await client.send('PUT', '/sessions/mine', {}), 400, 'invalid_input'],
      [await client.send('PUT', '/sessions/ts_mine', { ...report() }), 400, 'invalid_input'],
      [await put('{'), 400, 'malformed_json'],
      [await put({}), 400, 'invalid_input'],
      [await put(undefined), 400, 'invalid_input'],
      [await put({}, { 'content-type': 'text/plain' }), 415, 'unsupported_media_type'],
      [await put({ metadata: 'x'.repeat(5_000) }), 413, 'body_too_large'],
      [await client.send('PUT', `${path}/lease`, { ttl_seconds: 3_601 }), 400, 'invalid_input'],
      [await client.send('PUT', `${path}/lease`, { ttl_seconds: 60 }), 404, 'not_found'],
      [await client.delete(path), 404, 'not_found'],
    ] as const;
    for (const [response, status, code] of cases) {
      expect([response.status, response.body.error_code]).toEqual([status, code]);
      expect(response.headers.get('operation-id')).toBe(response.body.operation_id);
      expect(response.headers.get('content-type')).toContain('application/problem+json');
    }
  });

  it('accepts an issued certificate of a managed domain, and a failure', async () => {
    const roomy = await api.startDataPlane();
    const domain = await api.admin.create('/reserved_domains', {
      domain: 'managed.example.com',
      certificate_management_policy: { authority: 'letsencrypt' },
    });
    const path = `/certificates/${domain.id}`;
    expect((await roomy.client.send('PUT', path, { failed: { message: 'no luck' } })).status).toBe(204);
    // 1,000 characters are kept: the cut is inside of an emoji.
    const long = { failed: { message: `a${'😀'.repeat(1_000)}` } };
    expect((await roomy.client.send('PUT', path, long)).status).toBe(204);
    const { certificate, key } = await makeCertificate({ dnsNames: ['managed.example.com'] });
    const wrong = await roomy.client.send('PUT', path, {
      issued: { certificate_pem: certificate, private_key_pem: 'nonsense' },
    });
    expect([wrong.status, wrong.body.errors]).toMatchObject([400, [{ pointer: '/issued/private_key_pem' }]]);
    const unreadable = { certificate_pem: certificateWithNul(), private_key_pem: key };
    const refused = await roomy.client.send('PUT', path, { issued: unreadable });
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ pointer: '/issued/certificate_pem' }]]);
    const issued = { certificate_pem: certificate, private_key_pem: key };
    expect((await roomy.client.send('PUT', path, { issued })).status).toBe(204);
    const shown = await api.admin.get(domain.path);
    expect(shown.body.certificate).toMatchObject({ id: expect.stringMatching(/^cert_/) as string });
    expect((await roomy.client.send('PUT', path, {})).status).toBe(400);
    expect((await roomy.client.send('PUT', `/certificates/${newId('rd')}`, { issued })).status).toBe(404);
    await roomy.stop();
  });
});

function certificateWithNul(): string {
  const { publicKey } = generateKeyPairSync('ed25519');
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return pem('CERTIFICATE', derCertificate({ publicKey: spki, dnsNames: ['a\0b.example'] }));
}

describe('the service', () => {
  it('starts the data-plane API only if its key is set', async () => {
    const store = await createTestStore();
    const key = 'service_data_plane_key_0123456789';
    const settings = { ROLES: 'api', DATA_PLANE_PORT: '0' };
    try {
      const closed = await startTestService(store.connectionString, settings);
      expect(closed.dataPlaneUrl).toBeNull();
      await closed.stop();
      const service = await startTestService(store.connectionString, { ...settings, DATA_PLANE_KEY: key });
      const account = await store.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
      const gateway = new TestClient(service.dataPlaneUrl ?? '', key);
      const id = newId('ts');
      const response = await gateway.send('PUT', `/sessions/${id}`, { ...report(), account_id: account.id });
      expect(response.status).toBe(200);
      const client = new TestClient(service.url, ADMIN_KEY);
      expect((await client.get(`/tunnel_sessions/${id}`)).body.uri).toBe(`${service.url}/tunnel_sessions/${id}`);
      const events = await client.get('/events?type=tunnel_session_created.v0');
      expect(events.body.events).toMatchObject([
        { payload: { object: { uri: `${service.url}/tunnel_sessions/${id}` } } },
      ]);
      await service.stop();
    } finally {
      await store.close();
    }
  });
});

function report() {
  return { account_id: 'acct_nobody', ttl_seconds: 60, region: 'eu' };
}
