import { expect, it } from 'vitest';
import { completeSince } from './complete-since.js';

const [first, second, third] = [new Date(1_000), new Date(2_000), new Date(3_000)];

it('is the latest of the times', () => {
  expect(completeSince(first, [second, null, third])).toEqual(third);
  expect(completeSince(undefined, [second, first])).toEqual(second);
});

it('is null when the range begins with or after the latest time', () => {
  expect(completeSince(third, [second, third])).toBeNull();
  expect(completeSince(third, [first])).toBeNull();
});

it('is null when nothing is missing', () => {
  expect(completeSince(undefined, [])).toBeNull();
  expect(completeSince(undefined, [null, null])).toBeNull();
});
