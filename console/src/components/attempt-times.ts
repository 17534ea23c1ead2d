import type { DeliveryAttempt } from '@waybill/client';

/** An attempt, and the wait before it. */
export interface TimedAttempt {
  readonly attempt: DeliveryAttempt;
  /** Number of the attempt: 1 is the first one of the delivery. */
  readonly number: number;
  /** Milliseconds since the attempt before it, or since the event; null where that is not known. */
  readonly waitMs: number | null;
}

/** The attempts of a delivery that are kept. */
export interface KeptAttempts {
  /** Oldest first, as the API returns them. */
  readonly attempts: readonly DeliveryAttempt[];
  /** How many there were: the API returns the last 20. */
  readonly total: number;
  /** Time of the event, RFC 3339. */
  readonly since?: string | undefined;
}

/** Returns attempts with their numbers and the waits before them, oldest first. */
export function timedAttempts({ attempts, total, since }: KeptAttempts): readonly TimedAttempt[] {
  const hidden = total - attempts.length;
  let end = hidden === 0 && since !== undefined ? Date.parse(since) : null;
  return attempts.map((attempt, index) => {
    const start = Date.parse(attempt.started_at);
    const waitMs = end === null ? null : Math.max(0, start - end);
    end = start + attempt.duration_ms;
    return { attempt, number: hidden + index + 1, waitMs };
  });
}
