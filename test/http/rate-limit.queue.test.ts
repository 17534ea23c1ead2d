import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { RedisRateLimiter } from '../../src/http/rate-limit/redis-limiter.js';
import { newId } from '../../src/ids/id.js';
import { createTestStore } from '../support/database.js';
import { describeOnEveryBackend, runsOnRedis } from '../support/redis.js';
import { addKey, addOwner, startNotes } from './notes-api.js';

let store: Store;
beforeAll(async () => {
  store = await createTestStore();
});
afterAll(async () => store?.close());

const silent = pino({ level: 'silent' });

describeOnEveryBackend(
  'a rate limit of 5 a minute, shared through the queue store where it is Redis',
  ({ name, redisUrl }) => {
    const environment = {
      RATE_LIMIT_PER_MINUTE: '5',
      QUEUE_PREFIX: `rate_${name}`,
      ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    };

    test('allows five requests, then returns 429 with Retry-After', async () => {
      const api = await startNotes(store, { environment });
      try {
        const remaining: (string | null)[] = [];
        for (let request = 0; request < 5; request += 1) {
          const response = await api.fetch('/notes');
          expect(response.status).toBe(200);
          expect(response.headers.get('ratelimit-policy')).toBe(
            '"api-key";q=5;w=60, "principal";q=10;w=60, "account";q=50;w=60',
          );
          remaining.push(response.headers.get('ratelimit')?.match(/r=(\d+)/)?.[1] ?? null);
        }
        expect(remaining).toEqual(['4', '3', '2', '1', '0']);
        const refused = await api.fetch('/notes');
        expect(refused.status).toBe(429);
        expect(await refused.json()).toMatchObject({ error_code: 'rate_limited', status: 429 });
        const wait = Number(refused.headers.get('retry-after'));
        expect(wait).toBeGreaterThan(0);
        expect(wait).toBeLessThanOrEqual(12);
        expect(refused.headers.get('ratelimit')).toBe(`"api-key";r=0;t=${wait}`);
        expect((await api.fetch('/livez')).status).toBe(200);
      } finally {
        await api.close();
      }
    });

    test('limits a principal and an account too, whatever number of keys they have', async () => {
      const rates = { RATE_LIMIT_PER_MINUTE_PRINCIPAL: '7', RATE_LIMIT_PER_MINUTE_ACCOUNT: '9' };
      const api = await startNotes(store, { environment: { ...environment, ...rates } });
      const ask = async (token: string, times: number) => {
        const results: string[] = [];
        for (let request = 0; request < times; request += 1) {
          const response = await api.fetch('/notes', { headers: { authorization: `Bearer ${token}` } });
          const [, closest = ''] = /^"([a-z-]+)"/.exec(response.headers.get('ratelimit') ?? '') ?? [];
          results.push(`${response.status} ${closest}`);
        }
        return results;
      };
      try {
        const user = { accountId: api.accountId, ownerId: api.ownerId };
        const [bot, second] = [await addOwner(store, 'bot_user', { name: 'b' }, user), await addKey(store, user)];
        expect(await ask(api.token, 4)).toEqual(Array(4).fill('200 api-key'));
        expect(await ask(second, 4)).toEqual([...Array(3).fill('200 principal'), '429 principal']);
        expect(await ask(bot.token, 3)).toEqual([...Array(2).fill('200 account'), '429 account']);
      } finally {
        await api.close();
      }
    });

    test('counts the requests of an inactive bot', async () => {
      const api = await startNotes(store, { environment });
      try {
        const bot = await addOwner(store, 'bot_user', { name: 'b', active: false });
        const headers = { authorization: `Bearer ${bot.token}` };
        const statuses: number[] = [];
        for (let request = 0; request < 6; request += 1) statuses.push((await api.fetch('/notes', { headers })).status);
        expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
      } finally {
        await api.close();
      }
    });

    test('counts invalid requests too, and each key separately', async () => {
      const one = await startNotes(store, { environment });
      const two = await startNotes(store, { environment });
      try {
        for (let request = 0; request < 5; request += 1) {
          expect((await one.fetch('/notes', { headers: { 'service-version': 'x' } })).status).toBe(400);
        }
        expect((await one.fetch('/notes')).status).toBe(429);
        expect((await two.fetch('/notes')).status).toBe(200);
      } finally {
        await one.close();
        await two.close();
      }
    });
  },
);

describe.skipIf(!runsOnRedis())('two processes', () => {
  test('share a bucket in Redis that refills over time and expires', async () => {
    const options = {
      url: inject('redisUrl') ?? '',
      prefix: newId('test'),
      logger: silent,
    };
    const limiters = [new RedisRateLimiter(options), new RedisRateLimiter(options)] as const;
    const limits = [{ name: 'api-key', key: newId('ak'), perMinute: 600 }] as const;
    try {
      await sleep(300);
      const decisions = await Promise.all(
        Array.from({ length: 2_000 }, (_, index) => (index % 2 === 0 ? limiters[0] : limiters[1]).take(limits)),
      );
      const allowed = decisions.filter((decision) => decision.allowed).length;
      expect(allowed).toBeGreaterThanOrEqual(600);
      expect(allowed).toBeLessThan(2_000);
      const refused = decisions.find((decision) => !decision.allowed);
      await sleep((refused?.retryAfterMs ?? 0) + 20);
      expect((await limiters[0].take(limits)).allowed).toBe(true);
    } finally {
      await Promise.all(limiters.map((limiter) => limiter.close()));
    }
  });
});
