const HOUR_MS = 3_600_000;

/** Part of the retention that is left at least to an event that a backfill takes. */
const MARGIN_PART = 24;

/**
 * Returns since when a step of a backfill takes events: for a little less than their retention, so that none is removed
 * during the step. (Since when events are complete, their mark says: `RetentionMarks`.)
 * @param now the time of the database
 * @param eventsMs the retention of events, in milliseconds
 */
export function keptSince(now: Date, eventsMs: number): Date {
  return new Date(now.getTime() - eventsMs + Math.min(HOUR_MS, eventsMs / MARGIN_PART));
}
