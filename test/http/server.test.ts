import { once } from 'node:events';
import { Server } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { createTestStore } from '../support/database.js';
import { startNotes } from './notes-api.js';

let store: Store;
beforeAll(async () => {
  store = await createTestStore();
});
afterAll(async () => store?.close());

describe('a stopping server', () => {
  test('finishes the request in progress and accepts no more', async () => {
    const api = await startNotes(store);
    const open = api.notebook.hold();
    const running = api.fetch('/notes', { method: 'POST', json: { title: 'last' } });
    await vi.waitFor(async () => expect(await connectionsOf(api.app.getHttpServer())).toBe(1), 60_000);
    await sleep(50);
    const closed = api.close();
    await sleep(50);
    open();
    const response = await running;
    expect([response.status, response.headers.get('connection')]).toEqual([201, 'close']);
    await closed;
    await expect(api.fetch('/livez')).rejects.toThrow('fetch failed');
  });

  test('does not wait for idle connections', async () => {
    const api = await startNotes(store, { environment: { SHUTDOWN_DEADLINE_MS: '600000' } });
    const server: unknown = api.app.getHttpServer();
    if (server instanceof Server) server.keepAliveTimeout = 600_000;
    const { hostname, port } = new URL(api.origin);
    const socket = connect(Number(port), hostname);
    socket.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    const closed = once(socket, 'close');
    await api.close();
    await expect(closed).resolves.toEqual([false]);
  });

  test('does not wait for connections without a request', async () => {
    const api = await startNotes(store, { environment: { SHUTDOWN_DEADLINE_MS: '600000' } });
    const { hostname, port } = new URL(api.origin);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    await vi.waitFor(async () => expect(await connectionsOf(api.app.getHttpServer())).toBe(1), 60_000);
    await api.close();
    socket.destroy();
  });

  test('closes the connection of an unfinished request at the deadline', async () => {
    const api = await startNotes(store, { environment: { SHUTDOWN_DEADLINE_MS: '300' } });
    const { hostname, port } = new URL(api.origin);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(
      `POST /notes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.token}\r\nService-Version: 2\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    await vi.waitFor(async () => expect(await connectionsOf(api.app.getHttpServer())).toBe(1), 60_000);
    await sleep(50);
    const start = performance.now();
    await api.close();
    const waited = performance.now() - start;
    expect(waited).toBeGreaterThan(250);
    socket.destroy();
  });
});

function connectionsOf(server: unknown): Promise<number> {
  if (!(server instanceof Server)) throw new TypeError('not an HTTP server');
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

test('the server has timeouts and size limits for requests', async () => {
  const api = await startNotes(store);
  const server: unknown = api.app.getHttpServer();
  expect(server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 });
  await api.close();
});

test('a refused request keeps no connection to a client that leaves its side open', async () => {
  const api = await startNotes(store);
  const { hostname, port } = new URL(api.origin);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on('error', () => {});
  socket.write(`GET /notes HTTP/1.1\r\nHost: a\r\n${'X: y\r\n'.repeat(100)}\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 431 /);
  await vi.waitFor(async () => expect(await connectionsOf(api.app.getHttpServer())).toBe(0), 10_000);
  socket.destroy();
  await api.close();
});

test('bytes that are not HTTP end a response that has begun, and are not answered within it', async () => {
  const api = await startNotes(store);
  const { hostname, port } = new URL(api.origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  let received = '';
  socket.setEncoding('latin1').pause();
  socket.on('data', (text: string) => (received += text));
  socket.write('GET /docs/assets/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'readable');
  socket.write('garbage\r\n\r\n');
  const closed = once(socket, 'close');
  socket.resume();
  await closed;
  expect(received.match(/HTTP\/1\.1 \d{3} /g)).toEqual(['HTTP/1.1 200 ']);
  await api.close();
});

test('bytes that are not HTTP are not answered in place of a request that is being handled', async () => {
  const api = await startNotes(store);
  const open = api.notebook.hold();
  const { hostname, port } = new URL(api.origin);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('error', () => {}).on('data', (bytes: Buffer) => (received += bytes.toString()));
  const closed = once(socket, 'close');
  const begun = new Promise<void>((resolve) => (api.notebook.begins = () => resolve()));
  const body = JSON.stringify({ title: 'a' });
  socket.write(
    `POST /notes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.token}\r\nService-Version: 2\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await begun;
  socket.write('garbage\r\n\r\n');
  await closed;
  open();
  expect(received).toBe('');
  await api.close();
});

test('an endless body is refused at the limit', async () => {
  const api = await startNotes(store);
  const { hostname, port } = new URL(api.origin);
  const response = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.setEncoding('utf8');
    socket.on('error', reject);
    socket.on('data', (data) => {
      received += data;
      if (received.includes('\r\n\r\n')) {
        resolve(received);
        socket.destroy();
      }
    });
    socket.write(
      `POST /notes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.token}\r\nService-Version: 2\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    for (let chunk = 0; chunk < 30; chunk += 1) socket.write(`400\r\n${' '.repeat(1024)}\r\n`);
  });
  expect(response).toMatch(/^HTTP\/1.1 413 /);
  await api.close();
});
