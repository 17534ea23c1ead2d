import type { Zone } from '../preferences/preferences.js';

/** Returns a time as a field for date and time has it: `2026-11-23T02:14:05`. An empty text without a time. */
export function toInputTime(at: string | undefined, zone: Zone): string {
  const ms = at === undefined ? Number.NaN : Date.parse(at);
  if (Number.isNaN(ms)) return '';
  const offset = zone === 'utc' ? 0 : new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offset).toISOString().slice(0, 19);
}

/** Returns the time of a field in RFC 3339; undefined for an empty or incomplete one. */
export function fromInputTime(text: string, zone: Zone): string | undefined {
  if (text === '') return undefined;
  const ms = Date.parse(zone === 'utc' ? `${text}Z` : text);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** Returns the order of a date in the fields of the browser: `month/day/year`. */
export function dateOrder(locale: string = navigator.language): string {
  return new Intl.DateTimeFormat(locale)
    .formatToParts()
    .filter(({ type }) => type === 'day' || type === 'month' || type === 'year')
    .map(({ type }) => type)
    .join('/');
}

/** Returns when a day began, in RFC 3339. @param at a time of the day, in milliseconds since 1970 */
export function startOfDay(at: number, zone: Zone): string | undefined {
  const day = toInputTime(new Date(at).toISOString(), zone).slice(0, 10);
  return fromInputTime(`${day}T00:00:00`, zone);
}
