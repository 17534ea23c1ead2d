import { describe, expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.js';

const now = Date.parse('2026-11-21T08:00:00Z');

describe('retryAfterMs', () => {
  it.each([
    ['7', 7000],
    ['0', 0],
    ['1.5', 1500],
    ['Sat, 21 Nov 2026 08:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 07:00:00 GMT', 0],
    ['86400', 3_600_000],
  ])('reads %s as %d ms', (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });

  it.each([undefined, null, '', ' ', 'soon', '-'])('makes nothing of %s', (header) => {
    expect(retryAfterMs(header, now)).toBeUndefined();
  });
});
