import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { errorCodes } from '../../src/http/error-codes.js';
import { problemSchema } from '../../src/http/problem-document.js';

const caddyfile = await readFile(resolve(import.meta.dirname, '../../docker/Caddyfile'), 'utf8');
const hasCaddy = await promisify(execFile)('caddy', ['version']).then(
  () => true,
  () => false,
);

/** Checks the body of a response that the proxy makes itself. */
function checkProblem(body: string): string {
  const problem = problemSchema.strict().parse(JSON.parse(body));
  expect(problem).toMatchObject({
    type: 'urn:waybill:error:unavailable',
    title: errorCodes.unavailable.title,
    status: errorCodes.unavailable.status,
    error_code: 'unavailable',
    instance: `urn:waybill:operation:${problem.operation_id}`,
    detail: expect.stringContaining('The change may have been made') as string,
  });
  return problem.operation_id;
}

test('an error of the proxy is a problem document that says what may have happened', () => {
  const [, body = ''] = /respond `([^`]+)` 503$/m.exec(caddyfile) ?? [];
  expect(checkProblem(body.replaceAll('{http.request.uuid}', '0b1d'))).toBe('0b1d');
});

// Debian's package is older than the release of docker-compose.yml.
describe.skipIf(!hasCaddy)('a real Caddy', () => {
  let folder: string;
  let caddy: ChildProcess;
  let upstream: Server;
  let log = '';
  let origin: string;
  let received = 0;
  beforeAll(async () => {
    upstream = createServer((request, response) => {
      if (request.url === '/readyz' || request.url === '/fine') return void response.end('{}');
      received += 1;
      request.socket.destroy();
    });
    const spare = createServer();
    for (const server of [upstream, spare]) await once(server.listen(0, '127.0.0.1'), 'listening');
    const [port, own] = [upstream, spare].map((server) => (server.address() as AddressInfo).port);
    spare.close();
    await once(spare, 'close');
    folder = await mkdtemp(join(tmpdir(), 'waybill-proxy-'));
    const local = caddyfile
      .replace('api:4700 api-2:4700', `127.0.0.1:${port}`)
      .replace('lb_try_duration 60s', 'lb_try_duration 1s');
    await writeFile(join(folder, 'Caddyfile'), local);
    origin = `http://127.0.0.1:${own}`;
    const file = join(folder, 'Caddyfile');
    caddy = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
      env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, SITE_ADDRESS: `:${own}` },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    caddy.stderr?.setEncoding('utf8').on('data', (text: string) => (log += text));
    await vi.waitUntil(async () => (await fetch(`${origin}/fine`).catch(() => null))?.status === 200, 60_000);
  });
  afterAll(async () => {
    caddy?.kill();
    upstream?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('responds to a POST whose process dies with a problem document, sends it once, and logs it without its headers', async () => {
    const response = await fetch(`${origin}/events`, {
      method: 'POST',
      body: '{}',
      headers: { authorization: 'Bearer secret-key', 'idempotency-key': 'secret-idempotency' },
    });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    const id = checkProblem(await response.text());
    expect(response.headers.get('operation-id')).toBe(id);
    expect(received).toBe(1);
    const line = await vi.waitFor(() => {
      const found = log.split('\n').find((text) => text.includes('"POST"'));
      expect(found).toBeDefined();
      return found ?? '';
    });
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      status: 503,
      request: { method: 'POST', uri: '/events' },
    });
    expect(log).not.toContain('secret-');
    expect(log).not.toContain('"status":200');
  });
});
