import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemoryRateLimiter } from './memory-limiter.js';
import type { RateLimit } from './token-bucket.js';

const limit = (name: RateLimit['name'], perMinute: number, key: string = name): RateLimit => ({ name, key, perMinute });

/** A limiter with a clock that the test sets. */
function limiterAt(start = 0) {
  const clock = { now: start };
  return { clock, limiter: new MemoryRateLimiter(() => clock.now) };
}

test('no period allows more requests than a full bucket and the rate', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 600 }),
      fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 200 }),
      async (perMinute, gaps) => {
        const { clock, limiter } = limiterAt();
        const allowedAt: number[] = [];
        for (const gap of gaps) {
          clock.now += gap;
          const { allowed, remaining } = await limiter.take([limit('api-key', perMinute)]);
          if (allowed) allowedAt.push(clock.now);
          expect(remaining).toBeGreaterThanOrEqual(0);
          expect(remaining).toBeLessThan(perMinute);
        }
        for (const [first, start] of allowedAt.entries()) {
          for (const [offset, end] of allowedAt.slice(first).entries()) {
            expect(offset + 1).toBeLessThanOrEqual(perMinute + ((end - start) * perMinute) / 60_000 + 1e-6);
          }
        }
      },
    ),
    { numRuns: 30 },
  );
});

test('a request after retryAfterMs is allowed, and one before is not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 200 }), async (perMinute) => {
      const { clock, limiter } = limiterAt();
      const take = () => limiter.take([limit('api-key', perMinute)]);
      for (let request = 0; request < perMinute; request += 1) await take();
      const { allowed, retryAfterMs } = await take();
      expect(allowed).toBe(false);
      clock.now = retryAfterMs - 1;
      expect((await take()).allowed).toBe(false);
      clock.now = retryAfterMs;
      expect((await take()).allowed).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test('a clock that moves backwards changes no tokens', async () => {
  const { clock, limiter } = limiterAt(1_000);
  await limiter.take([limit('api-key', 60)]);
  clock.now = 500;
  expect((await limiter.take([limit('api-key', 60)])).remaining).toBe(58);
});

test('a request counts against all of its limits', async () => {
  const { limiter } = limiterAt();
  const take = (key: string) => limiter.take([limit('api-key', 2, key), limit('principal', 3)]);
  expect(await take('one')).toMatchObject({ allowed: true, limit: { name: 'api-key' }, remaining: 1 });
  expect(await take('two')).toMatchObject({ allowed: true, limit: { name: 'api-key' }, remaining: 1 });
  expect(await take('three')).toMatchObject({ allowed: true, limit: { name: 'principal' }, remaining: 0 });
  expect(await take('four')).toMatchObject({ allowed: false, limit: { name: 'principal' }, retryAfterMs: 20_000 });
});

test('a request that one limit refuses counts against none', async () => {
  const { clock, limiter } = limiterAt();
  const one = [limit('api-key', 1), limit('account', 60)];
  await limiter.take(one);
  for (let request = 0; request < 100; request += 1) expect((await limiter.take(one)).allowed).toBe(false);
  clock.now = 1;
  expect((await limiter.take([limit('account', 60)])).remaining).toBe(58);
});

test('of two exhausted limits, the decision has the longer wait', async () => {
  const { limiter } = limiterAt();
  const both = [limit('api-key', 1), limit('account', 2)];
  await limiter.take([limit('account', 2)]);
  await limiter.take(both);
  expect(await limiter.take(both)).toMatchObject({ limit: { name: 'api-key' }, retryAfterMs: 60_000 });
});
