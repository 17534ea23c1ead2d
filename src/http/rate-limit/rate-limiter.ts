import type { Decision } from './token-bucket.js';

/** Counts requests against a rate. */
export interface RateLimiter {
  /**
   * Counts one request against the rate of `key`. Never throws: the API works without the limiter's store.
   */
  take(key: string): Promise<Decision>;
  close(): Promise<void>;
}
