import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RecordSize, capacityWithin, chunkIntoCalls } from './chunk.js';

const limits = { records: 6, bytes: 100 };
const size: fc.Arbitrary<RecordSize> = fc.record({
  bytes: fc.integer({ min: 1, max: 120 }),
  orderingKeys: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 2 }),
});
const chunk = (sizes: readonly RecordSize[]) =>
  chunkIntoCalls(sizes, () => capacityWithin(limits, (of: RecordSize) => of));
const fits = (part: readonly RecordSize[]): boolean =>
  part.length <= limits.records && part.reduce((sum, { bytes }) => sum + bytes, 0) <= limits.bytes;
const repeats = (part: readonly RecordSize[]): boolean => {
  const keys = part.flatMap(({ orderingKeys }) => orderingKeys);
  return new Set(keys).size < keys.length;
};

describe('chunkIntoCalls', () => {
  it('returns every record once and in order, in calls that are never empty', () => {
    fc.assert(
      fc.property(fc.array(size), (sizes) => {
        const parts = chunk(sizes);
        expect(parts.flat()).toEqual(sizes);
        expect(parts.every((part) => part.length > 0)).toBe(true);
      }),
    );
  });

  it('never puts two records of one resource into a call', () => {
    fc.assert(
      fc.property(fc.array(size), (sizes) => {
        expect(chunk(sizes).some((part) => repeats(part))).toBe(false);
      }),
    );
  });

  it('keeps each call within the limits, except for a single record above them', () => {
    fc.assert(
      fc.property(fc.array(size), (sizes) => {
        expect(chunk(sizes).filter((part) => part.length > 1 && !fits(part))).toEqual([]);
      }),
    );
  });

  it('begins a call only with a record that did not fit into the one before', () => {
    fc.assert(
      fc.property(fc.array(size), (sizes) => {
        const parts = chunk(sizes);
        for (const [index, part] of parts.slice(1).entries()) {
          const longer = [...(parts[index] ?? []), ...part.slice(0, 1)];
          expect(fits(longer) && !repeats(longer)).toBe(false);
        }
      }),
    );
  });

  it('makes one call for different resources, and one per event of the same resource', () => {
    const of = (orderingKeys: string): RecordSize => ({ bytes: 1, orderingKeys: orderingKeys.split('') });
    expect(chunk(['a', 'b', 'c', 'd', 'e', 'f'].map(of))).toHaveLength(1);
    expect(chunk(['a', 'a', 'a'].map(of))).toHaveLength(3);
    expect(chunk(['a', 'b', 'a', 'c', 'a'].map(of)).map((part) => part.length)).toEqual([2, 2, 1]);
    expect(chunk(['ab', 'cd', 'eb', 'a'].map(of)).map((part) => part.length)).toEqual([2, 2]);
  });
});
