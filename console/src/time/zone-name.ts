import type { Zone } from '../preferences/preferences.js';

/** Returns the name of a zone, as fields for date and time show it: `Local time`. */
export function zoneName(zone: Zone): string {
  return zone === 'utc' ? 'UTC' : 'Local time';
}
