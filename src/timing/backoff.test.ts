import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs } from './backoff.js';

const schedule = fc
  .record({ baseMs: fc.integer({ min: 10, max: 600_000 }), capMs: fc.integer({ min: 10, max: 86_400_000 }) })
  .map(({ baseMs, capMs }) => ({ baseMs, capMs: Math.max(baseMs, capMs) }));
const failures = fc.integer({ min: 1, max: 100_000 });
const chance = fc.double({ min: 0, max: 0.999_999, noNaN: true });

describe('backoffMs', () => {
  it('doubles its longest wait with each failure, up to the cap', () => {
    const longest = (count: number): number =>
      backoffMs({ baseMs: 1_000, capMs: 300_000 }, count, 0, () => 0.999_999_999);
    expect([1, 2, 3, 4, 9, 10, 500].map(longest)).toEqual([1_000, 2_000, 4_000, 8_000, 256_000, 300_000, 300_000]);
  });

  it('takes any part of the step, so that destinations that failed together do not come back together', () => {
    fc.assert(
      fc.property(schedule, failures, chance, (given, count, random) => {
        const wait = backoffMs(given, count, 0, () => random);
        const step = Math.min(given.capMs, given.baseMs * 2 ** Math.min(count - 1, 30));
        expect(wait).toBe(Math.ceil(random * step));
        expect(wait).toBeLessThanOrEqual(given.capMs);
      }),
    );
  });

  it('never waits less than the vendor asked for', () => {
    fc.assert(
      fc.property(schedule, failures, chance, fc.nat({ max: 10 ** 9 }), (given, count, random, afterMs) => {
        const wait = backoffMs(given, count, afterMs, () => random);
        expect(wait).toBeGreaterThanOrEqual(afterMs);
        expect(wait).toBeLessThanOrEqual(Math.max(given.capMs, afterMs));
      }),
    );
  });
});
