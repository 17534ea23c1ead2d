/** An id of an event as Waybill makes them: a UUIDv7 in Crockford base 32. The first ten characters are its time. */
const idOfEvent = /^evt_([0-7][0-9a-hjkmnp-tv-z]{9})[0-9a-hjkmnp-tv-z]{16}$/;
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Most that the clocks of two processes of Waybill differ, in milliseconds. */
const CLOCKS_MS = 3_600_000;

/**
 * Returns whether an event may be older than the records that Waybill still has. An id that Waybill has not made tells
 * no time, and no retention has removed its event.
 * @param completeSince since when Waybill has every record, RFC 3339; null: it has removed none
 */
export function isBeforeRecords(eventId: string, completeSince: string | null): boolean {
  const time = timeOf(eventId);
  return completeSince !== null && time !== null && time < Date.parse(completeSince) + CLOCKS_MS;
}

/** Returns when an event was recorded, in milliseconds since the epoch; null for an id that Waybill has not made. */
function timeOf(eventId: string): number | null {
  const [, characters] = idOfEvent.exec(eventId) ?? [];
  if (characters === undefined) return null;
  return Array.from(characters).reduce((time, character) => time * 32 + DIGITS.indexOf(character), 0);
}
