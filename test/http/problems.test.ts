import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { problemSchema } from '../../src/http/problems/problem-document.js';
import { Problem } from '../../src/problems/problem.js';
import { createTestStore } from '../support/database.js';
import { noteIn, startNotes, type RunningApi, type TestRequest } from './notes-api.js';

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

/** Checks that a response is a complete problem document and returns it. */
async function problemOf(response: Response) {
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  const document = problemSchema.strict().parse(await response.json());
  expect(document.status).toBe(response.status);
  expect(document.operation_id).toMatch(/^op_[0-9a-z]{26}$/);
  expect(response.headers.get('operation-id')).toBe(document.operation_id);
  expect(document.type).toBe(`urn:waybill:error:${document.error_code}`);
  return document;
}

const json = { 'content-type': 'application/json' };

describe('every error is a problem document', () => {
  const cases: [string, string, TestRequest, number, string][] = [
    ['an unknown route', '/nothing/here', {}, 404, 'route_not_found'],
    ['an unknown route without a key', '/nothing', { headers: { authorization: undefined } }, 404, 'route_not_found'],
    [
      'an unknown route with a body of any type',
      '/nothing',
      { method: 'POST', body: 'x', headers: { 'content-type': 'text/x' } },
      404,
      'route_not_found',
    ],
    ['a method that the path does not take', '/notes/note_1', { method: 'PUT', json: {} }, 405, 'method_not_allowed'],
    ['a missing resource', '/notes/note_1', {}, 404, 'not_found'],
    ['no key', '/notes', { headers: { authorization: undefined } }, 401, 'credentials_missing'],
    ['a wrong key', '/notes', { headers: { authorization: 'Bearer nonsense' } }, 401, 'credentials_invalid'],
    ['another scheme', '/notes', { headers: { authorization: 'Basic YTpi' } }, 401, 'credentials_invalid'],
    ['no version', '/notes', { headers: { 'service-version': undefined } }, 400, 'service_version_missing'],
    ['another version', '/notes', { headers: { 'service-version': '1' } }, 400, 'service_version_unsupported'],
    ['broken JSON', '/notes', { method: 'POST', body: '{"title":', headers: json }, 400, 'malformed_json'],
    [
      'JSON that is not UTF-8',
      '/notes',
      { method: 'POST', body: new Uint8Array([34, 0xff, 34]), headers: json },
      400,
      'malformed_json',
    ],
    [
      'JSON that is too deep',
      '/notes',
      { method: 'POST', body: '['.repeat(5000) + ']'.repeat(5000), headers: json },
      400,
      'malformed_json',
    ],
    ['no body', '/notes', { method: 'POST' }, 400, 'invalid_input'],
    ['an empty body', '/notes', { method: 'POST', body: '', headers: json }, 400, 'invalid_input'],
    [
      'a body that is too large',
      '/notes',
      { method: 'POST', json: { title: 'x'.repeat(30_000) } },
      413,
      'body_too_large',
    ],
    [
      'a body of another type',
      '/notes',
      { method: 'POST', body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'unsupported_media_type',
    ],
    [
      'a body in another charset',
      '/notes',
      { method: 'POST', body: '{}', headers: { 'content-type': 'application/json; charset=latin1' } },
      415,
      'unsupported_media_type',
    ],
    [
      'a body without a type',
      '/notes',
      { method: 'POST', body: new Uint8Array([123, 125]) },
      415,
      'unsupported_media_type',
    ],
    [
      'a compressed body',
      '/notes',
      { method: 'POST', body: '{}', headers: { ...json, 'content-encoding': 'gzip' } },
      415,
      'unsupported_media_type',
    ],
    ['a NUL in the path', '/notes/a%00b', {}, 400, 'invalid_input'],
    ['a NUL in the query', '/notes?before_id=%00', {}, 400, 'invalid_input'],
    ['a path that is no URL', '/notes/%ff', {}, 400, 'malformed_request'],
    ['a parameter that is too long', `/notes/${'x'.repeat(300)}`, {}, 414, 'uri_too_long'],
    ['an unknown query parameter on a list', '/notes?foo=1', {}, 400, 'invalid_input'],
    ['an unknown query parameter on a read', '/notes/note_1?foo=1', {}, 400, 'invalid_input'],
  ];
  test.each(cases)('%s', async (_name, path, request, status, code) => {
    const response = await api.fetch(path, request);
    const document = await problemOf(response);
    expect([response.status, document.error_code]).toEqual([status, code]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('a conflict lists the conflicting resources', async () => {
    const created = await api.fetch('/notes', { method: 'POST', json: { title: 'a' } });
    const { id } = await noteIn(created);
    const document = await problemOf(await api.fetch(`/notes/${id}`, { method: 'DELETE' }));
    expect(document).toMatchObject({
      status: 409,
      error_code: 'still_referenced',
      conflicts: ['note_other'],
    });
  });

  test('a 401 challenges for a bearer token', async () => {
    const missing = await api.fetch('/notes', { headers: { authorization: undefined } });
    expect(missing.headers.get('www-authenticate')).toBe('Bearer realm="waybill"');
    const wrong = await api.fetch('/notes', { headers: { authorization: 'Bearer x' } });
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer realm="waybill", error="invalid_token"');
  });

  test('a 405 lists the supported methods', async () => {
    const response = await api.fetch('/notes/note_1', { method: 'PUT', json: {} });
    expect(response.headers.get('allow')).toBe('DELETE, GET, HEAD, PATCH');
    const outside = await api.fetch('/livez', { method: 'DELETE', headers: { authorization: undefined } });
    expect([outside.status, outside.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('an internal error reveals nothing to the client and is logged in full', async () => {
    api.notebook.failure = new Error('the password is swordfish');
    const response = await api.fetch('/notes/failing/now');
    const text = await response.clone().text();
    const document = await problemOf(response);
    expect([document.status, document.error_code]).toEqual([500, 'internal_error']);
    expect(text).not.toContain('swordfish');
    const line = api.log.find(
      (entry) => entry['msg'] === 'request failed' && entry['operation_id'] === document.operation_id,
    );
    expect(line).toMatchObject({ err: { message: 'the password is swordfish' } });
  });

  test('a thrown value that is not an Error returns 500', async () => {
    api.notebook.failure = 'just text';
    expect((await problemOf(await api.fetch('/notes/failing/now'))).status).toBe(500);
  });

  test.each([
    Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('terminating connection'), { code: '57P01' }),
    new Error('Connection terminated unexpectedly'),
    new Error('timeout exceeded when trying to connect'),
    new Error('query failed', { cause: Object.assign(new Error('x'), { code: '08006' }) }),
    new AggregateError([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })], ''),
  ])('a store that is down is a 503 with Retry-After: %s', async (failure) => {
    api.notebook.failure = failure;
    const response = await api.fetch('/notes/failing/now');
    expect((await problemOf(response)).error_code).toBe('unavailable');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
  });

  test('a Problem keeps its Retry-After', async () => {
    api.notebook.failure = new Problem('unavailable', 'Not now.', { retryAfterSeconds: 2.2 });
    const response = await api.fetch('/notes/failing/now');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '3']);
  });
});

/** Sends bytes and returns everything received. */
function sendRaw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(api.origin);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding('utf8');
    socket.on('data', (data) => (received += data));
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}

describe('malformed HTTP', () => {
  test.each([
    ['garbage', 'garbage\r\n\r\n', 400, 'malformed_request'],
    [
      'two content lengths',
      'POST /notes HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc',
      400,
      'malformed_request',
    ],
    [
      'headers beyond the limit',
      `GET /notes HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'more than 100 header fields',
      `GET /notes HTTP/1.1\r\nHost: a\r\n${'X: y\r\n'.repeat(100)}\r\n`,
      431,
      'headers_too_large',
    ],
  ])('%s returns a problem document', async (_name, bytes, status, code) => {
    const [head = '', body = ''] = (await sendRaw(bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).toContain('content-type: application/problem+json');
    expect(problemSchema.strict().parse(JSON.parse(body))).toMatchObject({ status, error_code: code });
  });

  test.each([
    ['GET', '*'],
    ['HEAD', '*'],
    ['POST', '*'],
    ['OPTIONS', '*'],
    ['DELETE', '*'],
    ['GET', '*?a=1'],
  ])('%s %s asks for an unknown path', async (method, target) => {
    const logged = api.log.length;
    const response = await sendRaw(`${method} ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    const [head = '', body = ''] = response.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 404 /);
    const headers = head.toLowerCase();
    const unknown = await api.fetch('/nothing/here');
    for (const name of unknown.headers.keys()) if (name !== 'keep-alive') expect(headers).toContain(`\r\n${name}: `);
    if (method !== 'HEAD')
      expect(problemSchema.strict().parse(JSON.parse(body))).toMatchObject({ error_code: 'route_not_found' });
    expect(api.log.slice(logged)).toContainEqual(
      expect.objectContaining({ msg: 'request', method, route: null, status: 404 }),
    );
  });

  test('an HTTP/1.1 request without Host returns a problem document', async () => {
    const [head = '', body = ''] = (await sendRaw('GET /notes HTTP/1.1\r\nConnection: close\r\n\r\n')).split(
      '\r\n\r\n',
    );
    expect(head).toMatch(/^HTTP\/1.1 400 /);
    expect(problemSchema.strict().parse(JSON.parse(body))).toMatchObject({ error_code: 'malformed_request' });
  });

  test.each(['Host: a\r\nHost: b', 'Host: a\r\nhost: a'])(
    'two Host headers return a problem document: %j',
    async (hosts) => {
      const response = await sendRaw(`GET /livez HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`);
      const [head = '', body = ''] = response.split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1.1 400 /);
      expect(problemSchema.strict().parse(JSON.parse(body))).toMatchObject({ error_code: 'malformed_request' });
    },
  );

  test.each([
    'gzip, chunked',
    'gzip,chunked',
    'identity, chunked',
    'chunked, chunked',
    'gzip\r\nTransfer-Encoding: chunked',
  ])('a body with the transfer codings %j returns a problem document, and ends the connection', async (codings) => {
    api.notebook.failure = null;
    const created = api.notebook.created;
    const head = `POST /notes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.token}\r\nService-Version: 2\r\nContent-Type: application/json\r\nTransfer-Encoding: `;
    const next = 'GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const response = await sendRaw(`${head}${codings}\r\n\r\nf\r\n{"title": "TE"}\r\n0\r\n\r\n${next}`);
    expect(response.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 400']);
    const [, body = ''] = response.split('\r\n\r\n');
    expect(problemSchema.strict().parse(JSON.parse(body))).toMatchObject({ error_code: 'malformed_request' });
    expect(api.notebook.created).toBe(created);
    const accepted = await sendRaw(`${head}CHUNKED\r\nConnection: close\r\n\r\nf\r\n{"title":"chu"}\r\n0\r\n\r\n`);
    expect(accepted).toMatch(/^HTTP\/1.1 201 /);
  });

  test('an upload that the client aborts is not logged as the failure of a store', async () => {
    const { hostname, port } = new URL(api.origin);
    const socket = connect(Number(port), hostname);
    const head = `POST /notes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.token}\r\nService-Version: 2\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
    const before = api.log.length;
    socket.write(head, () => setTimeout(() => socket.destroy(), 200));
    const lines = () => api.log.slice(before).map(({ msg }) => msg);
    await vi.waitFor(() => expect(lines()).toContain('request aborted by the client'), 60_000);
    await api.fetch('/livez');
    expect(lines()).not.toContain('request failed');
  });

  test('an unknown expectation is ignored', async () => {
    const response = await sendRaw('GET /livez HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nConnection: close\r\n\r\n');
    expect(response).toMatch(/^HTTP\/1.1 200 /);
  });
});

function ask(host: string): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(api.origin);
    const headers = { host, authorization: `Bearer ${api.token}`, 'service-version': '2' };
    httpRequest({ hostname, port, path: '/notes', headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (data) => (body += data));
      response.on('end', () => resolve({ status: response.statusCode, body }));
    })
      .on('error', reject)
      .end();
  });
}

describe('the Host header', () => {
  test.each(['a b', 'evil"/><script>', 'user@host', 'host/path', 'a:b', '..'])('%j is refused', async (host) => {
    const { status, body } = await ask(host);
    expect(status).toBe(400);
    expect(body).toContain('host_invalid');
  });

  test.each(['waybill.example', 'localhost:4700', '[::1]:80', '10.0.0.1'])(
    '%s becomes the base of addresses',
    async (host) => {
      const { status, body } = await ask(host);
      expect(status).toBe(200);
      expect(JSON.parse(body)).toMatchObject({ uri: `http://${host}/notes` });
    },
  );
});
