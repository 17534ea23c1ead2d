import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeToken, type Bucket } from './token-bucket.js';

test('no period allows more requests than a full bucket and the rate', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 600 }),
      fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 200 }),
      (perMinute, gaps) => {
        let bucket: Bucket | undefined;
        let now = 0;
        const allowedAt: number[] = [];
        for (const gap of gaps) {
          now += gap;
          const taken = takeToken(bucket, perMinute, now);
          bucket = taken.bucket;
          if (taken.decision.allowed) allowedAt.push(now);
          expect(bucket.tokens).toBeGreaterThanOrEqual(0);
          expect(bucket.tokens).toBeLessThanOrEqual(perMinute);
        }
        for (const [first, start] of allowedAt.entries()) {
          for (const [offset, end] of allowedAt.slice(first).entries()) {
            expect(offset + 1).toBeLessThanOrEqual(perMinute + ((end - start) * perMinute) / 60_000 + 1e-6);
          }
        }
      },
    ),
    { numRuns: 50 },
  );
});

test('a request after retryAfterMs is allowed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), (perMinute) => {
      const empty = { tokens: 0, at: 0 };
      const { decision } = takeToken(empty, perMinute, 0);
      expect(decision.allowed).toBe(false);
      expect(takeToken(empty, perMinute, decision.retryAfterMs).decision.allowed).toBe(true);
      const tooEarly = takeToken(empty, perMinute, decision.retryAfterMs - 1).decision.allowed;
      expect(tooEarly).toBe(decision.retryAfterMs === 0);
    }),
  );
});

test('a clock that moves backwards changes no tokens', () => {
  const { bucket } = takeToken({ tokens: 2, at: 1_000 }, 60, 500);
  expect(bucket.tokens).toBe(1);
});
