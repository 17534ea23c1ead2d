import type { Config } from '../config/config.js';

const HOUR_MS = 3_600_000;

/** Returns how long a delivery is tried, without pauses, in milliseconds. */
export function deadlineMsOf({ DELIVERY_DEADLINE_HOURS: hours }: Pick<Config, 'DELIVERY_DEADLINE_HOURS'>): number {
  return hours * HOUR_MS;
}
