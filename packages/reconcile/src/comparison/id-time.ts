/** Digits of an id, in their order (https://github.com/jetify-com/typeid/tree/main/spec). */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Digits that hold the time: 48 bits. */
const TIME_DIGITS = 10;

/** Returns when an id was made, in RFC 3339; null for a text that is no id of Waybill. */
export function timeOfId(id: string): string | null {
  const suffix = /_([0-7][0-9a-hjkmnp-tv-z]{25})$/.exec(id)?.[1];
  if (suffix === undefined) return null;
  let ms = 0;
  for (const digit of suffix.slice(0, TIME_DIGITS)) ms = ms * DIGITS.length + DIGITS.indexOf(digit);
  return ms > LATEST_MS ? null : new Date(ms).toISOString();
}

/** The last time of RFC 3339: the end of the year 9999. */
const LATEST_MS = Date.UTC(10_000, 0) - 1;
