import { timeOfId } from './id-time.js';

/** Most that the clocks of two processes of Waybill differ, in milliseconds. */
const CLOCKS_MS = 3_600_000;

/**
 * Returns whether an event may be older than the records that Waybill still has. An id that Waybill has not made tells
 * no time, and no retention has removed its event.
 * @param completeSince since when Waybill has every record, RFC 3339; null: it has removed none
 */
export function isBeforeRecords(eventId: string, completeSince: string | null): boolean {
  if (completeSince === null || !/^evt_[^_]*$/.test(eventId)) return false;
  const time = timeOfId(eventId);
  return time !== null && Date.parse(time) < Date.parse(completeSince) + CLOCKS_MS;
}
