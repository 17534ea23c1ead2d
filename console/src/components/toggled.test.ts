import { expect, test } from 'vitest';
import { toggled } from './toggled.js';

test('an item that is chosen again is removed, any other one comes to the end', () => {
  expect(toggled(['a', 'b', 'c'], 'b')).toEqual(['a', 'c']);
  expect(toggled(['a'], 'b')).toEqual(['a', 'b']);
  expect(toggled(toggled([], 1), 1)).toEqual([]);
});
