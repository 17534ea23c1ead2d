import type { Zone } from '../preferences/preferences.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Units of a duration, longest first. */
const units = [
  ['d', DAY],
  ['h', HOUR],
  ['min', MINUTE],
  ['s', SECOND],
] as const;

/** Returns a duration in its two largest units: `3 d 4 h`, `2 min 5 s`, `0 s`. @param ms milliseconds */
export function durationText(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / SECOND) * SECOND);
  const first = units.findIndex(([, length]) => whole >= length);
  if (first < 0) return '0 s';
  let rest = whole;
  const parts: string[] = [];
  for (const [unit, length] of units.slice(first, first + 2)) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.join(' ');
}

/** Returns how long ago a time is, in its largest unit: `3 h ago`, `in 5 s`, `now`. */
export function relativeText(at: number, now: number): string {
  const distance = now - at;
  const size = Math.abs(distance);
  if (size < SECOND) return 'now';
  const [unit, length] = units.find(([, least]) => size >= least) ?? units[3];
  const text = `${Math.floor(size / length)} ${unit}`;
  return distance > 0 ? `${text} ago` : `in ${text}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: Zone, withMs: boolean): Intl.DateTimeFormat {
  const key = `${zone}${withMs}`;
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat('sv-SE', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    ...(withMs && { fractionalSecondDigits: 3 as const }),
    ...(zone === 'utc' && { timeZone: 'UTC' }),
  });
  formats.set(key, format);
  return format;
}

/** Returns a time in full: `2026-11-23 02:14:05 UTC`. Local times have the offset: `2026-11-23 03:14:05 +01:00`. */
export function absoluteText(at: number, zone: Zone, withMs = false): string {
  const text = formatOf(zone, withMs).format(at).replace(',', '.');
  return `${text} ${zone === 'utc' ? 'UTC' : offsetText(at)}`;
}

/** Returns the offset of local time from UTC at that moment: `+01:00`. */
function offsetText(at: number): string {
  const minutes = -new Date(at).getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

/** Returns a length of time, of a part of a second in milliseconds: `240 ms`, `2 min 5 s`. */
export function lengthText(ms: number): string {
  return ms < 1_000 ? `${Math.max(0, Math.round(ms))} ms` : durationText(ms);
}
