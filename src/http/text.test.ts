import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytes, characters, describable, describableInput, describableInputInCharacters } from './text.js';

test('bytes are counted in UTF-8', () => {
  expect(bytes(4).safeParse('abcd').success).toBe(true);
  expect(bytes(4).safeParse('abcde').success).toBe(false);
  expect(bytes(4).safeParse('ää').success).toBe(true);
  expect(bytes(4).safeParse('äää').success).toBe(false);
  expect(bytes(4).safeParse('😀').success).toBe(true);
});

test('characters are counted as code points, so that an emoji is one', () => {
  expect(characters(2).safeParse('😀😀').success).toBe(true);
  expect(characters(2).safeParse('😀😀😀').success).toBe(false);
  expect(characters(2).safeParse('ää').success).toBe(true);
});

test('a text is accepted up to its limit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.integer({ min: 0, max: 40 }), (text, max) => {
      expect(bytes(max).safeParse(text).success).toBe(new TextEncoder().encode(text).length <= max);
      expect(characters(max).safeParse(text).success).toBe(Array.from(text).length <= max);
    }),
  );
});

test('description and metadata can be absent or null, with limits of 255 and 4096', () => {
  for (const shape of [describableInput, describableInputInCharacters]) {
    expect(shape.description.safeParse(undefined).success).toBe(true);
    expect(shape.description.safeParse(null).success).toBe(true);
    expect(shape.description.safeParse('x'.repeat(255)).success).toBe(true);
    expect(shape.description.safeParse('x'.repeat(256)).success).toBe(false);
    expect(shape.metadata.safeParse('x'.repeat(4096)).success).toBe(true);
    expect(shape.metadata.safeParse('x'.repeat(4097)).success).toBe(false);
  }
  expect(describableInput.description.safeParse('ä'.repeat(255)).success).toBe(false);
  expect(describableInputInCharacters.description.safeParse('ä'.repeat(255)).success).toBe(true);
  expect(describable.description.safeParse(undefined).success).toBe(false);
});
