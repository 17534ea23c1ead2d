import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Load, capacityWithin, chunkIntoCalls } from './chunk.js';

const limits = { records: 6, bytes: 100 };
const load: fc.Arbitrary<Load> = fc.record({
  bytes: fc.integer({ min: 1, max: 120 }),
  orderingKey: fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: undefined }),
});
const split = (loads: readonly Load[]) =>
  chunkIntoCalls(loads, () => capacityWithin(limits, (of: Load) => of));
const room = (part: readonly Load[]): boolean =>
  part.length <= limits.records && part.reduce((sum, { bytes }) => sum + bytes, 0) <= limits.bytes;
const repeats = (part: readonly Load[]): boolean => {
  const keys = part.flatMap(({ orderingKey }) => orderingKey ?? []);
  return new Set(keys).size < keys.length;
};

describe('the splitting of a batch into calls', () => {
  it('gives every record once and in order, in parts that are never empty', () => {
    fc.assert(
      fc.property(fc.array(load), (loads) => {
        const parts = split(loads);
        expect(parts.flat()).toEqual(loads);
        expect(parts.every((part) => part.length > 0)).toBe(true);
      }),
    );
  });

  it('never lets two records of one resource share a call', () => {
    fc.assert(
      fc.property(fc.array(load), (loads) => {
        expect(split(loads).some((part) => repeats(part))).toBe(false);
      }),
    );
  });

  it('keeps to the limits, except for a record that is over them by itself', () => {
    fc.assert(
      fc.property(fc.array(load), (loads) => {
        expect(split(loads).filter((part) => part.length > 1 && !room(part))).toEqual([]);
      }),
    );
  });

  it('begins a new call only with a record that did not go into the one before', () => {
    fc.assert(
      fc.property(fc.array(load), (loads) => {
        const parts = split(loads);
        for (const [index, part] of parts.slice(1).entries()) {
          const longer = [...(parts[index] ?? []), ...part.slice(0, 1)];
          expect(room(longer) && !repeats(longer)).toBe(false);
        }
      }),
    );
  });

  it('makes one call of resources that are all different, and one for each event of a single resource', () => {
    const of = (orderingKey: string): Load => ({ bytes: 1, orderingKey });
    expect(split(['a', 'b', 'c', 'd', 'e', 'f'].map(of))).toHaveLength(1);
    expect(split(['a', 'a', 'a'].map(of))).toHaveLength(3);
    expect(split(['a', 'b', 'a', 'c', 'a'].map(of)).map((part) => part.length)).toEqual([2, 2, 1]);
  });
});
