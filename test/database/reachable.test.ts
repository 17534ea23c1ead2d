import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@waybill/embedded-postgres';
import { expect, inject, test } from 'vitest';
import { waitUntilReachable } from '../../src/database/connections/reachable.js';
import { createLogger } from '../../src/logging/logger.js';

const logger = createLogger('silent');

test('resolves at once for a server that answers', async () => {
  await expect(waitUntilReachable(inject('postgresUrl'), logger, { timeoutMs: 0 })).resolves.toBeUndefined();
});

test('waits for a server that is down, and rejects after the timeout', async () => {
  const url = new URL(inject('postgresUrl'));
  url.port = String(await freePort());
  const started = performance.now();
  await expect(waitUntilReachable(url.href, logger, { timeoutMs: 1_500 })).rejects.toThrow('ECONNREFUSED');
  expect(performance.now() - started).toBeGreaterThan(1_500);
});

test('resolves when the server comes up during the wait', async () => {
  const target = new URL(inject('postgresUrl'));
  const url = new URL(target);
  url.port = String(await freePort());
  const waiting = waitUntilReachable(url.href, logger, { timeoutMs: 20_000 });
  await sleep(100);
  const relay = createServer((socket) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    socket.on('error', () => upstream.destroy());
    upstream.on('error', () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  }).listen(Number(url.port), '127.0.0.1');
  await once(relay, 'listening');
  await expect(waiting).resolves.toBeUndefined();
  relay.close();
});

test('rejects with the reason of the stop', async () => {
  const url = new URL(inject('postgresUrl'));
  url.port = String(await freePort());
  const stop = new AbortController();
  const waiting = waitUntilReachable(url.href, logger, { stop: stop.signal });
  stop.abort('SIGTERM');
  await expect(waiting).rejects.toBe('SIGTERM');
});

test('rejects at once for a wrong password', async () => {
  const url = new URL(inject('postgresUrl'));
  url.password = 'wrong';
  await expect(waitUntilReachable(url.href, logger, { timeoutMs: 60_000 })).rejects.toThrow(
    'password authentication failed',
  );
});
