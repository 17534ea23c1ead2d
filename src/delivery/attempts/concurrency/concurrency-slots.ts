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
  /** Whether the job of a failing destination could be admitted now. */
  readonly admitsFailing: boolean;
  /**
   * Admits the job of a failing destination, whose batch holds so many bytes, and adds a slot for it. Returns the
   * function that reports its end; null when the job must not run now.
   */
  admitFailing(bytes: number): (() => void) | null;
  /** Returns how long the job of a failing destination should wait now, in milliseconds. */
  failingWaitMs(): number;
  /** Reports that such a job waits so long. */
  failingRefused(ms: number): void;
}

/**
 * Makes a call in an occupied slot, and reports it when it is slow.
 * @param bytes what its batch holds
 */
export async function runInSlot<T>(slots: ConcurrencySlots, bytes: number, call: () => Promise<T>): Promise<T> {
  let reportEnd: (() => void) | undefined;
  const timer = setTimeout(() => {
    reportEnd = slots.reportSlow(bytes);
  }, SLOW_AFTER_MS);
  try {
    return await call();
  } finally {
    clearTimeout(timer);
    reportEnd?.();
  }
}
