import type { Decision, RateLimit } from './token-bucket.js';

/** Counts requests against rates. */
export interface RateLimiter {
  /**
   * Counts one request against all of these limits, or against none of them when one is exhausted. Never throws: the
   * API works without the limiter's store.
   * @param limits at least one
   */
  take(limits: readonly RateLimit[]): Promise<Decision>;
  close(): Promise<void>;
}
