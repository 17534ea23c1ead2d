import { expect, it } from 'vitest';
import { byteRangeOf } from './byte-range.js';

it.each([
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=2-5', { first: 2, last: 5 }],
  ['bytes=2-', { first: 2, last: 9 }],
  ['bytes=9-100', { first: 9, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-100', { first: 0, last: 9 }],
  [`bytes=2-${'9'.repeat(400)}`, { first: 2, last: 9 }],
  [`bytes=-${'9'.repeat(400)}`, { first: 0, last: 9 }],
  ['Bytes=2-5', { first: 2, last: 5 }],
])('%s of 10 bytes is a part', (header, range) => {
  expect(byteRangeOf(header, 10)).toEqual(range);
});

it.each(['bytes=10-', 'bytes=10-12', 'bytes=-0', ...[15, 20, 400].map((digits) => `bytes=${'9'.repeat(digits)}-`)])(
  '10 bytes have no %s',
  (header) => {
    expect(byteRangeOf(header, 10)).toBe('unsatisfiable');
  },
);

it.each(['', 'bytes', 'bytes=-', 'bytes=5-2', 'bytes=0-1,3-4', 'items=0-1', 'bytes=a-b', 'bytes=1.5-'])(
  '%j is ignored',
  (header) => {
    expect(byteRangeOf(header, 10)).toBeNull();
  },
);
