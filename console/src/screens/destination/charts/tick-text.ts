import type { Zone } from '../../../preferences/preferences.js';

const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the label of a time of an axis: the clock within a day, otherwise the date.
 * @param at milliseconds since 1970
 * @param length length of the axis, in milliseconds
 */
export function tickText(at: number, zone: Zone, length: number): string {
  const withClock = length <= DAY_MS + 1;
  const key = `${zone}${withClock}`;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat('en-GB', {
      ...(withClock ? { hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short' }),
      ...(zone === 'utc' && { timeZone: 'UTC' }),
    });
  formats.set(key, format);
  return format.format(at);
}
