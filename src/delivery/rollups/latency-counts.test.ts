import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LatencyCounts, pairArray } from './latency-counts.js';

function countsOf(latencies: readonly number[]): LatencyCounts {
  const counts = new LatencyCounts();
  for (const ms of latencies) counts.add(ms);
  return counts;
}

/** From a millisecond to ten years. */
const latency = fc.double({ min: 1, max: 3e11, noNaN: true });
const latencies = fc.array(latency, { minLength: 1, maxLength: 200 });

describe('LatencyCounts', () => {
  it('gives quantiles that are at most 10 % off, for any latencies', () => {
    fc.assert(
      fc.property(latencies, fc.constantFrom(0.5, 0.99, 1), (all, share) => {
        const sorted = all.toSorted((a, b) => a - b);
        const exact = sorted[Math.ceil(share * all.length) - 1] ?? NaN;
        const found = countsOf(all).quantile(share) ?? NaN;
        expect(found / exact).toBeGreaterThan(1 / 1.1001);
        expect(found / exact).toBeLessThan(1.1001);
      }),
    );
  });

  it('gives the same quantiles for merged counts as for all latencies together', () => {
    fc.assert(
      fc.property(latencies, latencies, (some, others) => {
        const merged = countsOf(some);
        merged.merge(countsOf(others).toArray());
        expect(merged.toArray()).toEqual(countsOf([...some, ...others]).toArray());
      }),
    );
  });

  it('counts what is below a millisecond, or negative, as the shortest latency', () => {
    const counts = countsOf([-5, 0, 0.9]);
    expect(counts.toArray()).toEqual([[0, 3]]);
    expect(counts.quantile(0.5)).toBe(0.5);
  });

  it('bounds the number of buckets', () => {
    expect(countsOf([Infinity]).toArray()).toEqual(countsOf([1e300]).toArray());
  });

  it('has no quantile without latencies', () => {
    expect(new LatencyCounts().quantile(0.5)).toBeNull();
  });
});

describe('pairArray', () => {
  it('writes pairs in the notation of Postgres', () => {
    expect(pairArray([])).toBe('{}');
    expect(
      pairArray([
        [3, 1],
        [12, 480],
      ]),
    ).toBe('{{3,1},{12,480}}');
  });
});
