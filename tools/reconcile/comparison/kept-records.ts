import { ID_SUFFIX } from '../../../src/ids/id-suffix.js';
import { timeOfId } from '../../../src/ids/id-time.js';

/** An id of an event as Waybill makes them: it begins with the time at which the event was recorded. */
const idOfEvent = new RegExp(`^evt_${ID_SUFFIX}$`);

/** Most that the clocks of two processes of Waybill differ, in milliseconds. */
const CLOCKS_MS = 3_600_000;

/**
 * Returns whether an event may be older than the records that Waybill still has. An id that Waybill has not made tells
 * no time, and no retention has removed its event.
 * @param completeSince since when Waybill has every record, RFC 3339; null: it has removed none
 */
export function isBeforeRecords(eventId: string, completeSince: string | null): boolean {
  if (completeSince === null || !idOfEvent.test(eventId)) return false;
  return timeOfId(eventId).getTime() < Date.parse(completeSince) + CLOCKS_MS;
}
