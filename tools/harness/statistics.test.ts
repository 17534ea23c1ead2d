import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drift, highestRise, median, percentile, rounded } from './statistics.js';

const someNumbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 });

describe('percentile', () => {
  it('is one of the values, and at least the given share does not exceed it', () => {
    fc.assert(
      fc.property(someNumbers, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
        const found = percentile(values, share);
        expect(values).toContain(found);
        expect(values.filter((value) => value <= found).length).toBeGreaterThanOrEqual(share * values.length - 1e-9);
      }),
    );
  });

  it('takes the nearest rank, in any order', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([0.5, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 99, 100]);
    expect(percentile([7], 0.99)).toBe(7);
  });

  it('is NaN without values', () => {
    expect(percentile([], 0.5)).toBeNaN();
  });
});

describe('median', () => {
  it('is the middle value, or the mean of the two middle values', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([])).toBeNaN();
  });
});

describe('highestRise', () => {
  it('is 1 if costs only fall', () => {
    expect(highestRise([5, 4, 4, 1])).toBe(1);
  });

  it('compares with the lowest earlier cost', () => {
    expect(highestRise([5, 2, 3, 4])).toBe(2);
    expect(highestRise([1, 3, 2])).toBe(3);
  });
});

describe('drift', () => {
  it('is 1 for a flat series and grows with the second half', () => {
    expect(drift([4, 4, 4, 4, 4])).toBe(1);
    expect(drift([1, 1, 2, 2])).toBe(2);
    expect(drift([1])).toBeNaN();
  });

  it('ignores a single spike', () => {
    expect(drift([3, 3, 3, 3, 900, 3])).toBe(1);
  });
});

describe('rounded', () => {
  it('keeps three significant digits, and whole numbers from 100', () => {
    expect([0.012345, 1.2345, 99.96, 12_345.6, 0].map(rounded)).toEqual([0.0123, 1.23, 100, 12_346, 0]);
  });
});
