import type { Decision, RateLimit } from './token-bucket.js';

/** Counts requests against rates. */
export interface RateLimiter {
  /**
   * Counts a request against all of these limits, or against none of them when one is exhausted. Never throws: the
   * API works without the limiter's store.
   * @param limits at least one
   * @param cost tokens to take from each; at most a full bucket is taken
   */
  take(limits: readonly RateLimit[], cost?: number): Promise<Decision>;
  close(): Promise<void>;
}
