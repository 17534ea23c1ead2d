import { expect, it } from 'vitest';
import { absoluteText, durationText, relativeText } from './format.js';

it.each([
  [0, '0 s'],
  [-5, '0 s'],
  [999, '0 s'],
  [61_000, '1 min 1 s'],
  [3_600_000, '1 h'],
  [90_061_000, '1 d 1 h'],
])('writes %d ms as %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

it('says how long ago a time is, or how far ahead', () => {
  const now = Date.UTC(2026, 10, 23);
  expect(relativeText(now - 7_300_000, now)).toBe('2 h ago');
  expect(relativeText(now + 5_400, now)).toBe('in 5 s');
  expect(relativeText(now - 999, now)).toBe('now');
});

it('writes a time in UTC in full, with milliseconds where they are wanted', () => {
  const at = Date.UTC(2026, 10, 23, 2, 4, 5, 67);
  expect(absoluteText(at, 'utc')).toBe('2026-11-23 02:04:05 UTC');
  expect(absoluteText(at, 'utc', true)).toBe('2026-11-23 02:04:05.067 UTC');
});

it('writes a local time with the offset of its zone', () => {
  const at = Date.UTC(2026, 6, 1, 12);
  const [, local, offset] = /^(.*) ([+-]\d\d:\d\d)$/.exec(absoluteText(at, 'local')) ?? [];
  expect(Date.parse(`${local?.replace(' ', 'T')}${offset}`)).toBe(at);
});
