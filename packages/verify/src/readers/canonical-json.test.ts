import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.js';

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

it('is JSON of the same value, whatever the order of its members', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const parsed: unknown = JSON.parse(JSON.stringify(value));
      const text = canonicalJson(parsed);
      expect(JSON.parse(text)).toEqual(parsed);
      expect(canonicalJson(reversed(parsed))).toBe(text);
    }),
  );
});

it('distinguishes what JSON distinguishes', () => {
  const texts = [{}, [], null, '', 0, false, 'null', [null], { a: null }, { a: [] }, { a: '1' }, { a: 1 }].map(
    (value) => canonicalJson(value),
  );
  expect(new Set(texts).size).toBe(texts.length);
});
