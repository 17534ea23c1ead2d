import { tokenOf } from '../lifecycle/provide.js';
import type { Config } from './config.js';

const DAY_MS = 86_400_000;

/** How long each kind of data is kept, in milliseconds. */
export interface RetentionTimes {
  readonly deliveredMs: number;
  /** For rejected, expired and cancelled deliveries, and attempts that failed. */
  readonly undeliveredMs: number;
  /** An event is kept at least as long as its deliveries. */
  readonly eventsMs: number;
  readonly exportsMs: number;
}
/** The injection token of `RetentionTimes`. */
export const RETENTION = tokenOf<RetentionTimes>('RetentionTimes');

/** Returns the times of the settings. */
export function retentionOf(config: Config): RetentionTimes {
  return {
    deliveredMs: config.RETENTION_DELIVERED_DAYS * DAY_MS,
    undeliveredMs: config.RETENTION_UNDELIVERED_DAYS * DAY_MS,
    eventsMs: config.RETENTION_EVENTS_DAYS * DAY_MS,
    exportsMs: config.RETENTION_EXPORTS_DAYS * DAY_MS,
  };
}
