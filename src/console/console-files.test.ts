import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gunzipSync, gzipSync, brotliDecompressSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addSecurityHeaders } from '../http/response/security-headers.js';
import { createLogger } from '../logging/logger.js';
import { registerConsole } from './console-files.js';

const PAGE =
  '<!doctype html><title>Waybill</title><script type="module" src="/console/assets/index-a1b2c3.js"></script>';
const SCRIPT = 'console.log("the console");'.repeat(200);
const SECRET = 'not for browsers';

let folder: string;
let servers: FastifyInstance[];
let url: string;
let emptyUrl: string;

/** Serves a folder as the service does: with the headers that every response has. */
async function serve(built: string): Promise<string> {
  const server = Fastify();
  servers.push(server);
  addSecurityHeaders(server, {});
  server.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'));
  registerConsole(server, built, createLogger('silent'));
  return server.listen({ port: 0, host: '127.0.0.1' });
}

beforeAll(async () => {
  servers = [];
  folder = await mkdtemp(join(tmpdir(), 'waybill-console-'));
  const built = join(folder, 'console');
  await mkdir(join(built, 'assets', 'fonts'), { recursive: true });
  await writeFile(join(folder, 'secret.js'), SECRET);
  await writeFile(join(built, 'secret.js'), SECRET);
  await writeFile(join(built, 'index.html'), PAGE);
  await writeFile(join(built, 'LICENSES.txt'), 'MIT');
  await writeFile(join(built, 'assets', '.hidden.js'), SECRET);
  await writeFile(join(built, 'assets', 'index-a1b2c3.js'), SCRIPT);
  await writeFile(join(built, 'assets', 'index-a1b2c3.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(built, 'assets', 'index-a1b2c3.js.gz'), gzipSync(SCRIPT));
  await writeFile(join(built, 'assets', 'fonts', 'plain-d4e5f6.woff2'), 'font');
  url = await serve(built);
  emptyUrl = await serve(join(folder, 'missing'));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await rm(folder, { recursive: true, force: true });
});

interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

/** Sends a request with the path as it is: `fetch` would resolve dots, and decode what was compressed. */
function send(
  path: string,
  method = 'GET',
  headers: Readonly<Record<string, string>> = {},
  to = url,
): Promise<RawResponse> {
  const { hostname, port } = new URL(to);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

const SCRIPT_PATH = '/console/assets/index-a1b2c3.js';

describe('the page', () => {
  test.each([
    '/console',
    '/console/',
    '/console/destinations/ed_01m80h8f5kextvs0ngtfh9fxws',
    '/console/events?type=a&from=2026-01-01',
    '/console/resources/orders/order.17',
    '/console/sign-in',
    '/console/index.html',
    '/console/secret.js',
    '/console/%E0%A4',
    '/console/../console/events',
  ])('is at %s, is not cached, and allows nothing from elsewhere', async (path) => {
    const { status, headers, body } = await send(path);
    if (path === '/console/%E0%A4') {
      expect(status).toBe(400);
      return;
    }
    expect([status, body.toString()]).toEqual([200, PAGE]);
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
  });

  test('has no body in the response to HEAD', async () => {
    const { status, headers, body } = await send('/console/events', 'HEAD');
    expect([status, body.length]).toEqual([200, 0]);
    expect(headers).toMatchObject({ 'content-length': String(PAGE.length), 'cache-control': 'no-store' });
  });

  test('is beside the licenses of what it contains', async () => {
    const { status, headers, body } = await send('/console/LICENSES.txt');
    expect([status, headers['content-type'], body.toString()]).toEqual([200, 'text/plain; charset=utf-8', 'MIT']);
    expect((await send('/console/LICENSES.txt', 'GET', {}, emptyUrl)).status).toBe(404);
  });

  test('says what to do when the console is not built', async () => {
    const { status, headers, body } = await send('/console', 'GET', {}, emptyUrl);
    expect(status).toBe(503);
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    expect(body.toString()).toContain('npm run build');
    expect((await send('/console/assets/index-a1b2c3.js', 'GET', {}, emptyUrl)).status).toBe(404);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('does not support %s', async (method) => {
    for (const path of ['/console', '/console/events', SCRIPT_PATH]) {
      const { status, headers, body } = await send(path, method);
      expect([path, status]).toEqual([path, 405]);
      expect(headers).toMatchObject({ allow: 'GET, HEAD', 'content-type': 'application/problem+json; charset=utf-8' });
      expect(JSON.parse(body.toString())).toMatchObject({ error_code: 'method_not_allowed' });
    }
  });
});

describe('an asset', () => {
  test('is cached forever, with and without compression', async () => {
    const caching = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' };
    const plain = await send(SCRIPT_PATH);
    expect([plain.status, plain.body.toString()]).toEqual([200, SCRIPT]);
    expect(plain.headers).toMatchObject({ ...caching, 'content-type': expect.stringMatching(/javascript/) });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    const gzip = await send(SCRIPT_PATH, 'GET', { 'accept-encoding': 'gzip' });
    expect(gzip.headers).toMatchObject({ ...caching, 'content-encoding': 'gzip' });
    expect(gunzipSync(gzip.body).toString()).toBe(SCRIPT);
    const brotli = await send(SCRIPT_PATH, 'GET', { 'accept-encoding': 'gzip, deflate, br, zstd' });
    expect(brotli.headers).toMatchObject({
      ...caching,
      'content-encoding': 'br',
      'content-type': plain.headers['content-type'],
    });
    expect(brotliDecompressSync(brotli.body).toString()).toBe(SCRIPT);
    expect(brotli.body.length).toBeLessThan(SCRIPT.length);
  });

  test('without a compressed form is sent as it is', async () => {
    const path = '/console/assets/fonts/plain-d4e5f6.woff2';
    const { status, headers, body } = await send(path, 'GET', { 'accept-encoding': 'gzip, br' });
    expect([status, body.toString(), headers['content-type']]).toEqual([200, 'font', 'font/woff2']);
    expect(headers).not.toHaveProperty('content-encoding');
  });

  test('has no body in the response to HEAD', async () => {
    const { status, headers, body } = await send(SCRIPT_PATH, 'HEAD', { 'accept-encoding': 'br' });
    expect([status, body.length]).toEqual([200, 0]);
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      'content-length': String(brotliCompressSync(SCRIPT).length),
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  test('is not sent again to a browser that has it', async () => {
    const { headers } = await send(SCRIPT_PATH);
    const again = await send(SCRIPT_PATH, 'GET', { 'if-none-match': String(headers.etag) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  test.each([
    '/console/assets/missing-0000.js',
    '/console/assets/',
    '/console/assets/.hidden.js',
    '/console/assets/fonts',
    '/console/assets/fonts/',
    '/console/assets/../secret.js',
    '/console/assets/../../secret.js',
    '/console/assets/%2e%2e/secret.js',
    '/console/assets/..%2fsecret.js',
    '/console/assets/..%5csecret.js',
    '/console/assets/fonts/../../secret.js',
    '/console/assets//etc/passwd',
    '/console/assets/%00',
    '/console/assets/index-a1b2c3.js%00.html',
    `/console/assets/${'a/'.repeat(50)}a.js`,
  ])('%s is no asset: a 404 that is not cached, and never another file', async (path) => {
    const { status, headers, body } = await send(path);
    expect(body.toString()).not.toContain(SECRET);
    expect([400, 404]).toContain(status);
    expect(headers['cache-control']).toBe('no-store');
    expect(body.toString()).not.toContain('root:');
  });
});
