import { expect, it } from 'vitest';
import { bytesText } from './bytes.js';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1 kB'],
  [1_440_000, '1.4 MB'],
  [2_000_000_000, '2 GB'],
  [5_000_000_000_000_000, '5,000 TB'],
])('writes %i bytes as %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
