import { once } from 'node:events';
import { createServer } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { RedisRateLimiter } from '../../src/http/rate-limit/redis-limiter.js';
import { createTestStore } from '../support/database.js';
import { startNotes } from './notes-api.js';

let store: Store;
beforeAll(async () => {
  store = await createTestStore();
});
afterAll(async () => store?.close());

const silent = pino({ level: 'silent' });

test('0 turns the limit off', async () => {
  const api = await startNotes(store, { environment: { RATE_LIMIT_PER_MINUTE: '0' } });
  expect((await api.fetch('/notes')).headers.get('ratelimit')).toBeNull();
  await api.close();
});

describe('without Redis', () => {
  test('with a hung Redis, requests are served without waiting for it', async () => {
    const mute = createServer(() => {}).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const address = mute.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const limiter = new RedisRateLimiter({
      url: `redis://127.0.0.1:${port}`,
      prefix: 'x',
      logger: silent,
    });
    const limits = [{ name: 'api-key', key: 'k', perMinute: 2 }] as const;
    const allowed = [];
    for (let request = 0; request < 3; request += 1) allowed.push((await limiter.take(limits)).allowed);
    expect(allowed).toEqual([true, true, false]);
    await limiter.close();
    mute.close();
  });

  test('requests are served and counted in the process', async () => {
    const api = await startNotes(store, {
      environment: { RATE_LIMIT_PER_MINUTE: '3', REDIS_URL: 'redis://127.0.0.1:1' },
    });
    try {
      const statuses: number[] = [];
      for (let request = 0; request < 5; request += 1) statuses.push((await api.fetch('/notes')).status);
      expect(statuses).toEqual([200, 200, 200, 429, 429]);
      const warnings = api.log.filter(({ msg }) => String(msg).startsWith('rate limiter: Redis does not respond'));
      expect(warnings).toHaveLength(1);
    } finally {
      await api.close();
    }
  });
});
