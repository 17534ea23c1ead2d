import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { echoed, isStorable, storable } from './storable.js';

test('text that Postgres can store is kept up to the limit', () => {
  expect(storable('ä😀', 3)).toBe('ä😀');
  expect(storable('abcd', 3)).toBe('ab…');
});

test('a cut does not separate a surrogate pair', () => {
  expect(storable('a😀bc', 3)).toBe('a…');
});

test('NUL and unpaired surrogates are replaced', () => {
  expect(storable('a\0b\ud800c\udc00', 9)).toBe('a\ufffdb\ufffdc\ufffd');
});

test('any text becomes storable and short enough', () => {
  const unit = fc.constantFrom('a', '\0', '\ud83d', '\ude00', '😀', '…');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 30 }), fc.integer({ min: 1, max: 20 }), (text, most) => {
      const stored = storable(text, most);
      expect(isStorable(stored)).toBe(true);
      expect(stored.length).toBeLessThanOrEqual(most);
    }),
  );
});

test('an error repeats at most 100 characters of the input', () => {
  expect(echoed('short')).toBe('short');
  expect(echoed('x'.repeat(101))).toBe(`${'x'.repeat(99)}…`);
});
