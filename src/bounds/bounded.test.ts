import * as fc from 'fast-check';
import { describe, expect, it, test, vi } from 'vitest';
import { z } from 'zod';
import { boundedBytes, boundedJson, boundedMap, boundedString, boundedTime } from './bounded.js';

test('bytes are counted in UTF-8', () => {
  expect(boundedBytes(4).safeParse('abcd').success).toBe(true);
  expect(boundedBytes(4).safeParse('abcde').success).toBe(false);
  expect(boundedBytes(4).safeParse('ää').success).toBe(true);
  expect(boundedBytes(4).safeParse('äää').success).toBe(false);
  expect(boundedBytes(4).safeParse('😀').success).toBe(true);
});

test('characters are counted as code points, so that an emoji is one', () => {
  expect(boundedString(2).safeParse('😀😀').success).toBe(true);
  expect(boundedString(2).safeParse('😀😀😀').success).toBe(false);
  expect(boundedString(2).safeParse('ää').success).toBe(true);
});

test.each([
  ['9999-12-31T23:59:59-05:00', 'must be in the years 0001 to 9999 of UTC'],
  ['0001-01-01T00:00:00+01:00', 'must be in the years 0001 to 9999 of UTC'],
  ['2026-02-30T00:00:00Z', 'Invalid ISO datetime'],
  ['9999-12-31T23:59:59.999Z', undefined],
  ['0001-01-01T01:00:00+01:00', undefined],
])('the time %s is in a year that can be written in UTC, or %s', (text, message) => {
  expect(boundedTime.safeParse(text).error?.issues.map((issue) => issue.message)).toEqual(message && [message]);
});

test('a text is accepted up to its limit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.integer({ min: 0, max: 40 }), (text, max) => {
      expect(boundedBytes(max).safeParse(text).success).toBe(new TextEncoder().encode(text).length <= max);
      expect(boundedString(max).safeParse(text).success).toBe(Array.from(text).length <= max);
    }),
    { numRuns: 50 },
  );
});

describe.each([
  ['characters', boundedString(3)],
  ['bytes', boundedBytes(3)],
] as const)('a string of too many %s', (unit, schema) => {
  it('fails with one issue, and no later check of the field runs', () => {
    const later = vi.fn<() => boolean>(() => true);
    const checked = schema
      .min(1)
      .regex(/^never$/)
      .refine(later)
      .superRefine(() => void later())
      .transform(later);
    const field = z.strictObject({ list: z.array(checked.nullable()).max(2).refine(later).optional() }).refine(later);
    const result = field.safeParse({ list: ['abcd'] });
    const detail = unit === 'bytes' ? 'bytes of UTF-8' : 'characters';
    expect(result.error?.issues).toMatchObject([{ path: ['list', 0], message: `must not be longer than 3 ${detail}` }]);
    expect(later).not.toHaveBeenCalled();
  });
});

describe('a map', () => {
  const value = vi.fn<() => boolean>(() => true);
  const schema = boundedMap(boundedString(5).refine(value), 2, 'labels');

  it('is accepted up to its limit', () => {
    expect(schema.parse({ a: 'b', c: 'd' })).toEqual({ a: 'b', c: 'd' });
    expect(schema.safeParse('text').error?.issues).toMatchObject([{ code: 'invalid_type', expected: 'record' }]);
    expect(schema.safeParse(null).success).toBe(false);
    expect(schema.safeParse({ ['n'.repeat(1_025)]: 'v' }).success).toBe(false);
  });

  it('of too many entries fails before an entry is read', () => {
    value.mockClear();
    const result = schema.safeParse({ a: 'a', b: 'b', c: 'c' });
    expect(result.error?.issues).toMatchObject([{ path: [], message: 'must not have more than 2 labels' }]);
    expect(value).not.toHaveBeenCalled();
  });
});

describe('a JSON object', () => {
  it.each<[value: unknown, detail: string | null]>([
    [{ a: [{ b: 1 }] }, null],
    [{ a: 'é'.repeat(46) }, null],
    [{ a: 'é'.repeat(47) }, 'must not be longer than 100 bytes of JSON'],
    [{ a: [[1]] }, null],
    [{ a: [[[]]] }, 'must not have more than 3 levels'],
    [{ a: [Infinity] }, 'has a number that is too large'],
    [[], 'Invalid input: expected record, received array'],
    [null, 'Invalid input: expected record, received null'],
  ])('%j is accepted, or refused: %s', (value, detail) => {
    const later = vi.fn<() => boolean>(() => true);
    const result = boundedJson(100, 3).refine(later).safeParse(value);
    expect(result.error?.issues.map(({ message }) => message) ?? null).toEqual(detail && [detail]);
    expect(later).toHaveBeenCalledTimes(detail === null ? 1 : 0);
    if (result.success) expect(result.data).toBe(value);
  });
});
