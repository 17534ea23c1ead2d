import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../logging/logger.js';
import { endSlowReaders, sendInPieces } from './large-responses.js';
import { page } from './pagination.js';

const CHECK_MS = 20;
/** More than the operating system takes from a server whose client does not read. */
const HUGE_BYTES = 32 * 1024 * 1024;

let server: FastifyInstance;
let sockets: Socket[];
beforeEach(() => {
  sockets = [];
  server = Fastify();
  endSlowReaders(server, createLogger('silent'), CHECK_MS);
  sendInPieces(server);
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

/** Sends a request. The response is not read before there is a listener. */
function send(path: string): Socket {
  const { port } = server.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return socket;
}

describe('a response', () => {
  const text = 'größer '.repeat(40_000);
  const items = [{ id: 'a', text }];
  beforeEach(async () => {
    server.get('/text', () => text);
    server.get('/buffer', () => Buffer.from(text));
    server.get('/json', () => ({ text }));
    server.get('/small', () => 'small');
    server.get('/page', () => page({ items, listKey: 'x', path: '/x', baseUrl: 'http://a' }));
    await server.listen({ host: '127.0.0.1', port: 0 });
  });

  test.each([
    ['/text', text],
    ['/buffer', text],
    ['/json', JSON.stringify({ text })],
    ['/page', JSON.stringify({ x: items, uri: 'http://a/x', next_page_uri: null })],
    ['/small', 'small'],
  ])('of %s arrives whole, with its length, and not for a HEAD', async (path, body) => {
    const { port } = server.server.address() as AddressInfo;
    const found = await fetch(`http://127.0.0.1:${port}${path}`);
    const length = String(Buffer.byteLength(body));
    expect(await found.text()).toBe(body);
    const head = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'HEAD' });
    expect([found, head].map(({ headers }) => headers.get('content-length'))).toEqual([length, length]);
    expect([found, head].map(({ headers }) => headers.get('transfer-encoding'))).toEqual([null, null]);
    expect(await head.text()).toBe('');
  });
});

test('many large responses at once leave the event loop to others', async () => {
  const body = Buffer.alloc(64 * 65_536, 'x');
  server.get('/large', () => body);
  server.get('/small', () => 'small');
  await server.listen({ host: '127.0.0.1', port: 0 });
  let done = 0;
  for (let count = 0; count < 50; count += 1) {
    let bytes = 0;
    send('/large').on('data', (chunk) => {
      bytes += chunk.length;
      if (bytes > body.length && bytes - chunk.length <= body.length) done += 1;
    });
  }
  await once(send('/small'), 'data');
  // It was sent last. In whole responses, one after the other, it would be the last one.
  expect(done).toBeLessThan(10);
  await expect.poll(() => done).toBe(50);
});

describe('a client that', () => {
  const huge = Buffer.alloc(HUGE_BYTES, 'x');
  const served = { count: 0 };
  beforeEach(async () => {
    served.count = 0;
    server.get('/huge', () => {
      served.count += 1;
      return huge;
    });
    server.get('/slow', async () => {
      await sleep(20 * CHECK_MS);
      return 'late';
    });
    await server.listen({ host: '127.0.0.1', port: 0 });
  });

  const connections = () =>
    new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count)));

  test('does not read loses its connection, and holds no copy of what it was sent', async () => {
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 50; count += 1) send('/huge');
    const held: number[] = [];
    while (served.count < 50 || (await connections()) > 0) {
      held.push(process.memoryUsage().arrayBuffers - before);
      await sleep(CHECK_MS);
    }
    expect(Math.max(...held)).toBeLessThan(HUGE_BYTES);
  });

  test('reads a part from time to time gets everything', async () => {
    const socket = send('/huge');
    let [bytes, pauses] = [0, 0];
    while (bytes < HUGE_BYTES) {
      const chunk = socket.read() as Buffer | null;
      if (chunk === null) await once(socket, 'readable');
      else bytes += chunk.length;
      if (bytes <= pauses * (HUGE_BYTES / 16)) continue;
      // Shorter than the time without progress, longer in sum.
      await sleep(3 * CHECK_MS);
      pauses += 1;
    }
    expect(pauses).toBeGreaterThan(10);
  });

  test('waits for a response that is late, or sends nothing, keeps its connection', async () => {
    const [waiting, idle] = [send('/slow'), send('/none')];
    await once(idle, 'data');
    const [response] = (await once(waiting, 'data')) as [Buffer];
    expect(response.toString()).toContain('late');
    expect(await connections()).toBe(2);
  });
});
