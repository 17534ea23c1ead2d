/**
 * A call that takes longer than this is slow: it gets a slot beside the others (see AdaptiveConcurrency). In
 * milliseconds.
 */
const SLOW_AFTER_MS = 1_000;

/** The concurrency slots of one worker: each of its jobs occupies one. */
export interface ConcurrencySlots {
  /** Whether the worker would take another job at once. */
  readonly hasFree: boolean;
  /** Occupies a slot for a job. Returns the function that releases it. */
  occupy(): () => void;
  /** Reports a slow call whose batch holds so many bytes. Returns the function that reports its end. */
  reportSlow(bytes: number): () => void;
}

/**
 * Makes a call in an occupied slot, and reports it when it is slow.
 * @param bytes what its batch holds
 * @param knownSlow whether to report it from the start, because the destination has failed before
 */
export async function runInSlot<T>(
  slots: ConcurrencySlots,
  bytes: number,
  knownSlow: boolean,
  call: () => Promise<T>,
): Promise<T> {
  let reportEnd = knownSlow ? slots.reportSlow(bytes) : undefined;
  const timer = setTimeout(() => {
    reportEnd ??= slots.reportSlow(bytes);
  }, SLOW_AFTER_MS);
  try {
    return await call();
  } finally {
    clearTimeout(timer);
    reportEnd?.();
  }
}
