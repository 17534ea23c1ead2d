import { expect, test } from 'vitest';
import { describable, describableInput, describableInputInCharacters } from './text.js';

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
