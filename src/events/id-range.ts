import { idBound } from '../ids/id-time.js';

/** An event's id and its `created_at` are of the same moment: more than they differ, in milliseconds. */
const MARGIN_MS = 2_000;

/** Returns a bound that the ids of all events recorded at or after a time are above. */
export function idsFrom(time: Date): string {
  return bound(time, -MARGIN_MS);
}

/** Returns a bound that the ids of all events recorded before a time are below. */
export function idsBefore(time: Date): string {
  return bound(time, MARGIN_MS);
}

function bound(time: Date, marginMs: number): string {
  return idBound('evt', new Date(Math.max(0, time.getTime() + marginMs)));
}
