import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { problemSchema } from '../../src/http/problems/problem-document.js';
import { errorCodes } from '../../src/problems/error-codes.js';

const caddyfile = await readFile(resolve(import.meta.dirname, '../../docker/Caddyfile'), 'utf8');
/** Version of the Caddy in the PATH, such as `2.11`; null without one. */
const caddyVersion = await promisify(execFile)('caddy', ['version']).then(
  ({ stdout }) => /^v?(\d+\.\d+)/.exec(stdout)?.[1] ?? null,
  () => null,
);
/** Whether a POST whose connection to an api fails is sent to the other one. Older releases respond with an error. */
const triesPostAgain = caddyVersion !== null && Number(caddyVersion.split('.')[1]) >= 11;

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

/** Starts Caddy with the committed configuration, in front of these ports. Returns its address, and its log so far. */
async function startCaddy(ports: readonly number[], tryDuration: string) {
  const spare = createServer().listen(0, '127.0.0.1');
  await once(spare, 'listening');
  const { port } = spare.address() as AddressInfo;
  spare.close();
  await once(spare, 'close');
  const folder = await mkdtemp(join(tmpdir(), 'waybill-proxy-'));
  const file = join(folder, 'Caddyfile');
  const local = caddyfile
    .replace('api:4700 api-2:4700', ports.map((one) => `127.0.0.1:${one}`).join(' '))
    .replace('lb_try_duration 60s', `lb_try_duration ${tryDuration}`);
  await writeFile(file, local);
  const caddy = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, SITE_ADDRESS: `:${port}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  caddy.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const origin = `http://127.0.0.1:${port}`;
  await vi.waitUntil(async () => (await fetch(`${origin}/fine`).catch(() => null))?.status === 200, 60_000);
  return {
    origin,
    log: () => log,
    stop: async () => {
      caddy.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

test.skipIf(caddyVersion === null)('no log of Caddy has a header or the token of a link', async () => {
  const file = resolve(import.meta.dirname, '../../docker/Caddyfile');
  const { stdout } = await promisify(execFile)('caddy', ['adapt', '--config', file, '--adapter', 'caddyfile']);
  const { logs } = (JSON.parse(stdout) as { readonly logging: { readonly logs: object } }).logging;
  const fields = {
    'request>headers': { filter: 'delete' },
    'request>uri': { filter: 'regexp', value: '/links/-' },
    resp_headers: { filter: 'delete' },
  };
  // Caddy logs a request to the default log, too: from 2.11 on, one whose response ends too early.
  expect(logs).toMatchObject({ default: { encoder: { fields } }, log0: { encoder: { fields } } });
});

// Debian's package is older than the release of docker-compose.yml.
describe.skipIf(caddyVersion === null)('a real Caddy', () => {
  let caddy: Awaited<ReturnType<typeof startCaddy>>;
  let upstream: Server;
  let received = 0;
  beforeAll(async () => {
    upstream = createServer((request, response) => {
      if (request.url === '/readyz' || request.url === '/fine') return void response.end('{}');
      received += 1;
      request.socket.destroy();
    });
    await once(upstream.listen(0, '127.0.0.1'), 'listening');
    caddy = await startCaddy([(upstream.address() as AddressInfo).port], '1s');
  });
  afterAll(async () => {
    await caddy?.stop();
    upstream?.close();
  });

  test('responds to a POST whose process dies with a problem document, sends it once, and logs it without its secrets', async () => {
    const response = await fetch(`${caddy.origin}/links/k1~secret-token/event_destinations/ed_1/log/1?n=1`, {
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
      const found = caddy
        .log()
        .split('\n')
        .find((text) => text.includes('"POST"'));
      expect(found).toBeDefined();
      return found ?? '';
    }, 60_000);
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      status: 503,
      request: { method: 'POST', uri: '/links/-/event_destinations/ed_1/log/1?n=1' },
    });
    expect(caddy.log()).not.toContain('secret-');
    expect(caddy.log()).not.toContain('"status":200');
  });
});

/** A process with the routes of an api that the proxy uses. It reports each request before its response. */
const API = `
  require('node:http').createServer((request, response) => {
    if (request.url === '/readyz' || request.url === '/fine') return void response.end('{}');
    process.send(request.url);
    request.resume().on('end', () => setTimeout(() => response.end('{}'), 5));
  }).listen(Number(process.argv[1] || 0), '127.0.0.1', function () { process.send({ port: this.address().port }); });`;

describe.skipIf(caddyVersion === null)('a real Caddy in front of two processes', () => {
  const REQUESTS = 1_000;
  const CLIENTS = 16;
  /** How often a process received a request, by its path. */
  const received = new Map<string, number>();

  async function startApi(port = 0): Promise<{ readonly process: ChildProcess; readonly port: number }> {
    const child = spawn(process.execPath, ['--eval', API, String(port)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const [first] = (await once(child, 'message')) as [{ readonly port: number }];
    child.on('message', (path: string) => received.set(path, (received.get(path) ?? 0) + 1));
    return { process: child, port: first.port };
  }

  async function kill(child: ChildProcess): Promise<void> {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  test.for(['GET', 'POST'])(
    'only a %s that is under way while a process is killed may fail, and no POST is sent twice',
    async (method, { skip }) => {
      skip(method === 'POST' && !triesPostAgain, `Caddy ${caddyVersion} is older than 2.11.`);
      const apis = [await startApi(), await startApi()];
      const caddy = await startCaddy(
        apis.map(({ port }) => port),
        '60s',
      );
      const failed: string[] = [];
      const underWay = new Set<string>();
      /** Requests that were under way while a process was killed. */
      const exposed = new Set<string>();
      let isKilling = false;
      const numbers = Array.from({ length: REQUESTS }, (_, number) => number).values();
      let answered = 0;
      const client = async (): Promise<void> => {
        for (const number of numbers) {
          const path = `/${method}/${number}`;
          underWay.add(path);
          if (isKilling) exposed.add(path);
          const response = await fetch(`${caddy.origin}${path}`, { method, ...(method === 'POST' && { body: '{}' }) });
          await response.text();
          underWay.delete(path);
          answered += 1;
          if (response.status !== 200) failed.push(path);
        }
      };
      const kills = async (): Promise<void> => {
        for (const [index, part] of [0.25, 0.5, 0.75].entries()) {
          await vi.waitUntil(() => answered >= REQUESTS * part, 120_000);
          const one = apis[index % 2];
          if (!one) throw new Error('There are two processes.');
          isKilling = true;
          for (const path of underWay) exposed.add(path);
          await kill(one.process);
          isKilling = false;
          apis[index % 2] = await startApi(one.port);
        }
      };
      await Promise.all([kills(), ...Array.from({ length: CLIENTS }, client)]);
      await caddy.stop();
      for (const { process: child } of apis) await kill(child);
      expect(answered).toBe(REQUESTS);
      expect(failed.filter((path) => !exposed.has(path))).toEqual([]);
      // A GET is sent again.
      if (method === 'GET') expect(failed).toEqual([]);
      else expect([...received].filter(([path, times]) => path.startsWith('/POST/') && times > 1)).toEqual([]);
    },
  );
});
