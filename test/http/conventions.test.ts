import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Store } from '../../src/database/store.js';
import { createTestStore } from '../support/database.js';
import { addOwner, noteIn, startNotes, type RunningApi } from './notes-api.js';

let store: Store;
let api: RunningApi;
beforeAll(async () => {
  store = await createTestStore();
  api = await startNotes(store);
});
afterAll(async () => {
  await api?.close();
  await store?.close();
});

const listSchema = z.object({ uri: z.string() });
const operationSchema = z.looseObject({
  parameters: z.array(z.unknown()).optional(),
  responses: z.record(z.string(), z.unknown()),
});
const documentSchema = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});

async function createNote(title = 'note'): Promise<{ id: string; etag: string }> {
  const response = await api.fetch('/notes', { method: 'POST', json: { title } });
  expect(response.status).toBe(201);
  const { id } = await noteIn(response);
  return { id, etag: response.headers.get('etag') ?? '' };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const unauthenticated = { authorization: undefined, 'service-version': undefined };

describe('authentication', () => {
  test('passes the principal, the API key and the client to the handler', async () => {
    await api.fetch('/notes', {
      method: 'POST',
      json: { title: 'x' },
      headers: { 'user-agent': 'x'.repeat(2_000), 'if-match': '*' },
    });
    expect(api.notebook.lastContext).toMatchObject({
      accountId: api.accountId,
      principal: { kind: 'user', admin: true },
      credential: { id: api.keyId },
      baseUrl: api.origin,
      ip: '127.0.0.1',
      userAgent: 'x'.repeat(512),
      ifMatch: '*',
      reservation: null,
    });
  });

  test('identifies bot users, which are never admins', async () => {
    const bot = await addOwner(store, 'bot_user', { name: 'b', active: true, admin: true });
    const response = await api.fetch('/notes', {
      method: 'POST',
      json: { title: 'x' },
      headers: bearer(bot.token),
    });
    expect(response.status).toBe(201);
    expect(api.notebook.lastContext).toMatchObject({
      accountId: bot.accountId,
      principal: { id: bot.ownerId, kind: 'bot', admin: false },
    });
  });

  test('refuses an inactive bot user with 403 until it is active again', async () => {
    const bot = await addOwner(store, 'bot_user', { name: 'b', active: false });
    const refused = await api.fetch('/notes', { headers: bearer(bot.token) });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error_code: 'principal_inactive' });
    const attributes = JSON.stringify({ name: 'b', active: true });
    await store.db.updateTable('resources').set({ attributes }).where('id', '=', bot.ownerId).execute();
    expect((await api.fetch('/notes', { headers: bearer(bot.token) })).status).toBe(200);
  });

  test('fails as soon as the key is deleted', async () => {
    const user = await addOwner(store, 'user', { name: 'u', admin: false });
    expect((await api.fetch('/notes', { headers: bearer(user.token) })).status).toBe(200);
    await store.db.deleteFrom('resources').where('id', '=', user.keyId).execute();
    expect((await api.fetch('/notes', { headers: bearer(user.token) })).status).toBe(401);
  });

  test('refuses a token with the id of a key and another secret', async () => {
    const forged = `${api.token.slice(0, -64)}${'0'.repeat(64)}`;
    expect((await api.fetch('/notes', { headers: bearer(forged) })).status).toBe(401);
  });

  test('refuses guesses after UNKNOWN_KEYS_PER_MINUTE, counted by the address of the client', async () => {
    const environment = { UNKNOWN_KEYS_PER_MINUTE: '2', TRUST_PROXY: '1' };
    const limited = await startNotes(store, { environment });
    const ask = (token: string, ip: string, forged = '') =>
      limited.fetch('/notes', { headers: { ...bearer(token), 'x-forwarded-for': `${forged}${ip}` } });
    const fresh = await addOwner(store, 'user', { name: 'u' });
    const statuses: number[] = [];
    for (const forged of ['', '10.0.0.1, ', '10.0.0.2, '])
      statuses.push((await ask(`guess${forged.length}`, '192.0.2.1', forged)).status);
    expect(statuses).toEqual([401, 401, 429]);
    const refused = await ask('another_guess', '192.0.2.1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^[1-3]?\d$/)]);
    expect(await refused.json()).toMatchObject({ error_code: 'rate_limited' });
    expect((await ask('another_guess', '192.0.2.2')).status).toBe(401);
    expect((await ask(api.token, '192.0.2.1')).status).toBe(200);
    expect((await ask(fresh.token, '192.0.2.1')).status).toBe(200);
    await limited.close();
  });

  test('accepts keys that are used for the first time, all at once', async () => {
    const owners = await Promise.all(Array.from({ length: 30 }, () => addOwner(store, 'user', { name: 'u' })));
    const limited = await startNotes(store, { environment: { UNKNOWN_KEYS_PER_MINUTE: '2' } });
    const responses = await Promise.all(owners.map(({ token }) => limited.fetch('/notes', { headers: bearer(token) })));
    expect(responses.map(({ status }) => status)).toEqual(Array(30).fill(200));
    await limited.close();
  });

  test('warns once of X-Forwarded-For without TRUST_PROXY, as all clients of a proxy have one address then', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    for (const [trusted, warnings] of [
      ['false', 1],
      ['1', 0],
    ] as const) {
      const other = await startNotes(store, { environment: { TRUST_PROXY: trusted } });
      await other.fetch('/notes');
      for (let request = 0; request < 3; request += 1) await other.fetch('/notes', { headers });
      expect(other.log.filter(({ msg }) => String(msg).startsWith('X-Forwarded-For is ignored'))).toHaveLength(
        warnings,
      );
      await other.close();
    }
  });

  test('accepts the scheme in any case', async () => {
    expect((await api.fetch('/notes', { headers: { authorization: `bearer ${api.token}` } })).status).toBe(200);
  });

  test('happens before the body is read', async () => {
    const { hostname, port } = new URL(api.origin);
    const status = await new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': '1000',
        'service-version': '2',
      };
      const request = httpRequest({ hostname, port, path: '/notes', method: 'POST', headers }, (response) => {
        resolve(response.statusCode);
        request.destroy();
      });
      request.on('error', reject);
      request.write('{"ti');
    });
    expect(status).toBe(401);
  });

  test('is not required on public routes', async () => {
    const hello = await api.fetch('/notes/public/hello?cache=1', { headers: unauthenticated });
    expect([hello.status, await hello.json()]).toEqual([200, { hello: 'world' }]);
  });
});

describe('the base URL', () => {
  test('is PUBLIC_URL when it is set, regardless of Host', async () => {
    const published = await startNotes(store, {
      environment: { PUBLIC_URL: 'https://waybill.example/api/' },
    });
    const list = listSchema.parse(await (await published.fetch('/notes')).json());
    expect(list.uri).toBe('https://waybill.example/api/notes');
    const response = await published.fetch('/livez');
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000');
    await published.close();
  });

  test.each([
    ['1', 'https://edge.example/notes', '203.0.113.9'],
    ['127.0.0.1', 'https://edge.example/notes', '203.0.113.9'],
    ['10.0.0.0/8', null, '127.0.0.1'],
    ['false', null, '127.0.0.1'],
  ])('and the client address follow X-Forwarded headers of trusted proxies only: %s', async (trust, uri, ip) => {
    const proxied = await startNotes(store, { environment: { TRUST_PROXY: trust } });
    const headers = {
      'x-forwarded-for': '1.1.1.1, 203.0.113.9',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'edge.example',
    };
    const list = listSchema.parse(await (await proxied.fetch('/notes', { headers })).json());
    expect(list.uri).toBe(uri ?? `${proxied.origin}/notes`);
    await proxied.fetch('/notes', { method: 'POST', json: { title: 'x' }, headers });
    expect(proxied.notebook.lastContext?.ip).toBe(ip);
    expect(proxied.log.filter(({ msg }) => msg === 'request').map((line) => line['ip'])).toEqual([ip, ip]);
    await proxied.close();
  });
});

describe('a wrong header about the address of the service', () => {
  test.each([
    [{ 'x-forwarded-proto': 'ws' }, 'forwarded_proto_invalid', 'X-Forwarded-Proto'],
    [{ 'x-forwarded-host': 'evil host' }, 'host_invalid', 'X-Forwarded-Host'],
    [{ host: 'evil host' }, 'host_invalid', 'The Host header'],
  ])('is refused with an error that names it: %j', async (headers, code, name) => {
    const proxied = await startNotes(store, { environment: { TRUST_PROXY: '1' } });
    const { hostname, port } = new URL(proxied.origin);
    const sent = httpRequest({
      hostname,
      port,
      path: '/notes',
      headers: { ...bearer(proxied.token), 'service-version': '2', ...headers },
    });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const body = JSON.parse((await response.toArray()).join('')) as Record<string, unknown>;
    expect([response.statusCode, body['error_code']]).toEqual([400, code]);
    expect(body['detail']).toContain(name);
    await proxied.close();
  });
});

describe('resource versions', () => {
  test('are sent as the ETag of every response with the resource', async () => {
    const { id, etag } = await createNote();
    expect(etag).toBe('"v1"');
    const read = await api.fetch(`/notes/${id}`);
    expect(read.headers.get('etag')).toBe('"v1"');
    const changed = await api.fetch(`/notes/${id}`, { method: 'PATCH', json: { title: 'new' } });
    expect(changed.headers.get('etag')).toBe('"v2"');
    expect((await api.fetch('/notes')).headers.get('etag')).toBeNull();
  });

  test('a read with the current ETag returns 304 without a body', async () => {
    const { id, etag } = await createNote();
    for (const held of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const response = await api.fetch(`/notes/${id}`, { headers: { 'if-none-match': held } });
      expect([response.status, await response.text(), response.headers.get('etag')]).toEqual([304, '', etag]);
    }
    const other = await api.fetch(`/notes/${id}`, { headers: { 'if-none-match': '"v9"' } });
    expect(other.status).toBe(200);
  });

  test('a write with an outdated ETag returns 412 and changes nothing', async () => {
    const { id, etag } = await createNote();
    const patch = (ifMatch: string) =>
      api.fetch(`/notes/${id}`, {
        method: 'PATCH',
        json: { title: 'new' },
        headers: { 'if-match': ifMatch },
      });
    for (const wrong of ['"v9"', `W/${etag}`, 'v1', '']) {
      const refused = await patch(wrong);
      expect([wrong, refused.status, refused.headers.get('etag')]).toEqual([wrong, 412, null]);
      expect(await refused.json()).toMatchObject({ error_code: 'precondition_failed' });
    }
    expect((await patch(etag)).status).toBe(200);
    expect((await patch('*')).status).toBe(200);
  });
});

describe('every response', () => {
  test('has its own operation id and forbids caching', async () => {
    const responses = await Promise.all(['/notes', '/notes', '/livez', '/nothing'].map((path) => api.fetch(path)));
    const ids = responses.map(({ headers }) => headers.get('operation-id') ?? '');
    for (const id of ids) expect(id).toMatch(/^op_[0-9a-z]{26}$/);
    expect(new Set(ids).size).toBe(4);
    for (const { headers } of responses) expect(headers.get('cache-control')).toBe('no-store');
  });

  test('has security headers and does not reveal the software', async () => {
    for (const path of ['/notes', '/nothing', '/livez']) {
      const { headers } = await api.fetch(path);
      expect(headers.get('content-security-policy')).toBe("default-src 'none';base-uri 'none';frame-ancestors 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('x-permitted-cross-domain-policies')).toBe('none');
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('server')).toBeNull();
      expect(headers.get('strict-transport-security')).toBeNull();
    }
  });

  test('is logged in one line, with the route and the caller and without secrets', async () => {
    const response = await api.fetch('/notes/note_secretpath?limit=swordfish', {
      headers: { cookie: 'swordfish' },
    });
    const id = response.headers.get('operation-id');
    const lines = api.log.filter((line) => line['operation_id'] === id);
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'request',
        method: 'GET',
        route: '/notes/:id',
        status: 400,
        account_id: api.accountId,
        credential_id: api.keyId,
        duration_ms: expect.any(Number),
      }),
    ]);
    const whole = JSON.stringify(api.log);
    expect(whole).not.toContain(api.token);
    expect(whole).not.toContain('swordfish');
  });
});

describe('health', () => {
  test('logs a request that failed at info, and one that succeeded at debug', async () => {
    const sick = await startNotes(store, {
      health: { stallReason: () => null, clientsNotLoaded: () => ({}), stopping: () => true, stores: {} },
    });
    const ready = await sick.fetch('/readyz');
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('The service is stopping.')]);
    expect((await sick.fetch('/livez')).status).toBe(200);
    await expect.poll(() => sick.log.filter(({ msg }) => msg === 'request')).toHaveLength(1);
    expect(sick.log.find(({ msg }) => msg === 'request')).toMatchObject({ route: '/readyz', status: 503 });
    await sick.close();
  });

  test('requires neither an API key nor a version', async () => {
    for (const path of ['/livez', '/readyz']) {
      const response = await api.fetch(path, { headers: unauthenticated });
      expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
    }
  });

  test('share one check of a store at a time', async () => {
    let checks = 0;
    let end = (): void => {};
    const database = (): Promise<void> => {
      checks += 1;
      return new Promise((resolve) => (end = resolve));
    };
    let requests = 0;
    const stopping = (): boolean => {
      requests += 1;
      return false;
    };
    const idle = { stallReason: () => null, clientsNotLoaded: () => ({}), stopping };
    const slow = await startNotes(store, { health: { ...idle, stores: { database } } });
    const first = slow.fetch('/readyz');
    await vi.waitFor(() => expect(checks).toBe(1), 60_000);
    const others = Array.from({ length: 4 }, () => slow.fetch('/readyz'));
    await vi.waitFor(() => expect(requests).toBe(5), 60_000);
    end();
    const statuses = (await Promise.all([first, ...others])).map(({ status }) => status);
    expect([statuses, checks]).toEqual([Array(5).fill(200), 1]);
    const next = slow.fetch('/readyz');
    await vi.waitFor(() => expect(checks).toBe(2), 60_000);
    end();
    expect((await next).status).toBe(200);
    await slow.close();
  });

  test('names the stores that do not respond and the stalled part', async () => {
    const sick = await startNotes(store, {
      health: {
        stallReason: () => 'The sweeper has not run for 60 s.',
        clientsNotLoaded: () => ({}),
        stopping: () => false,
        stores: {
          database: () => Promise.resolve(1),
          'queue store': () => Promise.reject(new Error('redis://user:swordfish@host')),
          silent: () => new Promise(() => {}),
        },
      },
    });
    const ready = await sick.fetch('/readyz');
    const text = await ready.text();
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '2']);
    expect(text).toContain('These stores do not respond, or accept no writes: queue store, silent.');
    expect(text).not.toContain('swordfish');
    const live = await sick.fetch('/livez');
    expect([live.status, live.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await live.text()).toContain('The sweeper has not run');
    await sick.close();
  });
});

describe('GET /', () => {
  test('leads to the console, without an API key', async () => {
    const response = await fetch(`${api.origin}/`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/console']);
    const post = await fetch(`${api.origin}/`, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('is not found in a process without the API', async () => {
    const worker = await startNotes(store, { environment: { ROLES: 'worker' } });
    const response = await fetch(`${worker.origin}/`);
    expect([response.status, await response.json()]).toMatchObject([404, { error_code: 'route_not_found' }]);
    await worker.close();
  });
});

describe('documentation', () => {
  test('is OpenAPI 3.1 made from the schemas that validate requests', async () => {
    const response = await api.fetch('/openapi.json', { headers: unauthenticated });
    expect(response.headers.get('content-type')).toContain('application/json');
    const document = documentSchema.parse(await response.json());
    expect(document.openapi).toBe('3.1.0');
    const create = document.paths['/notes']?.['post'];
    expect(create).toMatchObject({
      operationId: 'createNote',
      tags: ['Notes'],
      security: [
        { api_key: [], service_version: [] },
        { session: [], service_version: [] },
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/CreateNote' },
          },
        },
      },
    });
    expect(create?.parameters).toEqual([{ $ref: '#/components/parameters/IdempotencyKey' }]);
    expect(Object.keys(create?.responses ?? {})).toEqual([
      '201',
      '400',
      '401',
      '403',
      '409',
      '413',
      '415',
      '429',
      '500',
      '503',
    ]);
    expect(document.paths['/notes/{id}']?.['delete']?.responses['409']).toEqual({
      $ref: '#/components/responses/Problem409',
    });
    expect(document.paths['/livez']?.['get']).toMatchObject({ security: [] });
    expect(document.components.schemas).toHaveProperty('Note.description', 'A note.');
    expect(document.components.schemas).toHaveProperty('Problem');
    expect(JSON.stringify(document)).not.toContain('x-waybill');
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(10);
    for (const [, kind = '', name = ''] of references) expect(document.components).toHaveProperty([kind, name]);
  });

  test('serves the page and its assets from this server, with a policy that allows them', async () => {
    const response = await api.fetch('/docs', { headers: unauthenticated });
    expect(response.status).toBe(200);
    const html = await response.text();
    expect(html).toContain('<title>API documentation · Waybill</title>');
    expect(html).not.toMatch(/(?:src|href)=['"](?:https?:)?\/\//);
    expect(html).not.toMatch(/<script>[^<]/);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    for (const [, part = ''] of html.matchAll(/<(?:script|link)\b[^>]*(?:src|href)="([^"]+)"/g)) {
      const asset = await fetch(new URL(part, `${api.origin}/docs`));
      expect([part, asset.status]).toEqual([part, 200]);
      await asset.arrayBuffer();
    }
  });

  test('serves no other file of Swagger UI', async () => {
    for (const file of ['package.json', 'swagger-ui-bundle.js.map', 'index.html', '%2e%2e/fastify/package.json'])
      expect((await fetch(`${api.origin}/docs/assets/${file}`)).status, file).toBe(404);
    const old = await fetch(`${api.origin}/docs/`, { redirect: 'manual' });
    expect([old.status, old.headers.get('location')]).toEqual([308, '/docs']);
  });
});
