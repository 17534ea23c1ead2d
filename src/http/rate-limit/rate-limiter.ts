import type { Decision } from './token-bucket.js';

/** Counts requests against a rate. */
export interface RateLimiter {
  /** Takes one request from the rate of `key`. Never throws: an answer does not depend on the limiter's store. */
  take(key: string): Promise<Decision>;
  close(): Promise<void>;
}
