/** Bounds of an exponential backoff, in milliseconds. */
export interface BackoffSchedule {
  /** Longest wait after the first failure. */
  readonly baseMs: number;
  /** Longest wait after any failure. */
  readonly capMs: number;
}

/**
 * Returns the wait after consecutive failed attempts: exponential, with full jitter, capped, and never less than the
 * vendor requested. Full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 * @param failures consecutive failed attempts, from 1
 * @param afterMs the wait that the vendor requested, bounded by `retryAfterMs`; 0 without one
 * @param random returns a number from 0 up to but not including 1
 */
export function backoffMs(
  schedule: BackoffSchedule,
  failures: number,
  afterMs: number,
  random: () => number = Math.random,
): number {
  // 2^30 milliseconds are twelve days: beyond every cap, and far from overflow.
  const step = Math.min(schedule.capMs, schedule.baseMs * 2 ** Math.min(failures - 1, 30));
  return Math.max(Math.ceil(random() * step), afterMs);
}
