/** How long to wait between attempts, in milliseconds. */
export interface BackoffSchedule {
  /** The first step. */
  readonly baseMs: number;
  /** The longest step. */
  readonly capMs: number;
}

/**
 * The wait after so many failed attempts in a row: exponential, with full jitter, capped; never less than the vendor asked for.
 * Full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 * @param failures attempts that failed in a row, from 1
 * @param afterMs what the vendor asked for (`retryAfterMs` has bounded it), 0 when it said nothing
 * @param random gives a number from 0 up to but not including 1
 */
export function backoffMs(
  schedule: BackoffSchedule,
  failures: number,
  afterMs: number,
  random: () => number = Math.random,
): number {
  // 2^30 steps of a millisecond are twelve days: beyond every cap, and far from overflow.
  const step = Math.min(schedule.capMs, schedule.baseMs * 2 ** Math.min(failures - 1, 30));
  return Math.max(Math.ceil(random() * step), afterMs);
}
