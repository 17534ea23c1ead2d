/** Longest wait between two attempts, unless Waybill asks for a longer one. */
const LONGEST_MS = 30_000;
/** Longest wait that Waybill or a proxy can ask for. */
const LONGEST_RETRY_AFTER_MS = 300_000;

/** Waits between repeated attempts: each up to twice as long as the one before, with jitter. */
export class Backoff {
  private failures = 0;

  constructor(private readonly baseMs = 250) {}

  /** Number of failures since the last success. */
  get count(): number {
    return this.failures;
  }

  /**
   * Returns the wait after one more failure, in milliseconds: a random part, at least half, of the present limit.
   * @param retryAfterMs shortest wait that the server asked for; 0 for none
   */
  next(retryAfterMs = 0): number {
    const limit = Math.min(LONGEST_MS, this.baseMs * 2 ** Math.min(this.failures, 20));
    this.failures += 1;
    const wait = limit / 2 + (Math.random() * limit) / 2;
    return Math.max(wait, Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS));
  }

  /** Ends the backoff after a success. */
  reset(): void {
    this.failures = 0;
  }
}
