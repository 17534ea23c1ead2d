import { expect, it } from 'vitest';
import { Backoff } from './backoff.js';
import { retryAfterMs } from './retry-after.js';

const now = Date.parse('2026-11-22T10:00:00Z');

it.each([
  ['5', 5_000],
  [' 120 ', 120_000],
  ['Sun, 22 Nov 2026 10:00:30 GMT', 30_000],
  ['Sun, 22 Nov 2026 09:00:00 GMT', 0],
  ['0', 0],
  ['', 0],
  [null, 0],
  ['-5', 0],
  ['1.5', 0],
  ['soon', 0],
])('Retry-After %j asks for %i ms', (header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected);
});

it('a wait is bounded, also where Retry-After asks for more', () => {
  const backoff = new Backoff();
  for (let n = 0; n < 40; n += 1) expect(backoff.next()).toBeLessThanOrEqual(30_000);
  expect(backoff.next()).toBeGreaterThanOrEqual(15_000);
  expect(backoff.next(60_000)).toBe(60_000);
  expect(backoff.next(retryAfterMs('99999999999999999999'))).toBe(300_000);
  backoff.reset();
  expect(backoff.next()).toBeLessThanOrEqual(250);
});
