/** A call that takes longer than this lends the worker another place (see AdaptiveConcurrency), in milliseconds. */
const SLOW_AFTER_MS = 1_000;

/** What the worker that runs a job lends it. */
export interface ConcurrencySlots {
  /** Whether the worker would take another job at once. */
  readonly free: boolean;
  /** Says that a job takes a place; the function it gives is called when the job has ended. */
  enter(): () => void;
  /** Says that an attempt is slow, whose batch holds so many bytes; the function it gives is called when it has ended. */
  slow(bytes: number): () => void;
}

/**
 * Makes a call, and says so where it is slow.
 * @param bytes what its batch holds
 * @param knownSlow from the start: the destination has failed before, so it does not get a place of those that deliver
 */
export async function runInSlot<T>(
  places: ConcurrencySlots,
  bytes: number,
  knownSlow: boolean,
  call: () => Promise<T>,
): Promise<T> {
  let giveBack = knownSlow ? places.slow(bytes) : undefined;
  const timer = setTimeout(() => {
    giveBack ??= places.slow(bytes);
  }, SLOW_AFTER_MS);
  try {
    return await call();
  } finally {
    clearTimeout(timer);
    giveBack?.();
  }
}
