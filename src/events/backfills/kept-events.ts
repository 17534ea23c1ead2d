const HOUR_MS = 3_600_000;

/** Part of the retention that is left at least to an event that a backfill takes. */
const MARGIN_PART = 24;

/**
 * Returns since when events are certain to be kept while a step of a backfill takes them: a little less than their
 * retention, since retention removes events without deliveries.
 * @param now the time of the database
 * @param eventsMs the retention of events, in milliseconds
 */
export function keptSince(now: Date, eventsMs: number): Date {
  return new Date(now.getTime() - eventsMs + Math.min(HOUR_MS, eventsMs / MARGIN_PART));
}
