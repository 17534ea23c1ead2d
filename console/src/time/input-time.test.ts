import { expect, it } from 'vitest';
import { dateOrder, fromInputTime, toInputTime } from './input-time.js';

it.each(['local', 'utc'] as const)('gives back the time that was put in, in the zone %s', (zone) => {
  const at = '2026-03-29T01:30:05.000Z';
  expect(fromInputTime(toInputTime(at, zone), zone)).toBe(at);
});

it('shows a time in UTC', () => {
  expect(toInputTime('2026-11-23T03:14:05+01:00', 'utc')).toBe('2026-11-23T02:14:05');
});

it('takes an empty and a broken text for no time', () => {
  expect(fromInputTime('', 'utc')).toBeUndefined();
  expect(fromInputTime('soon', 'local')).toBeUndefined();
  expect(toInputTime('soon', 'utc')).toBe('');
  expect(toInputTime(undefined, 'utc')).toBe('');
});

it('says the order of a date', () => {
  expect(['en-US', 'en-GB', 'sv'].map((locale) => dateOrder(locale))).toEqual([
    'month/day/year',
    'day/month/year',
    'year/month/day',
  ]);
});
