import { LRUCache } from 'lru-cache';
import type { RateLimiter } from './rate-limiter.js';
import { takeToken, type Bucket, type Decision } from './token-bucket.js';

/** Most keys with a bucket. The least recently used bucket is dropped, which makes it full again. */
const MOST_KEYS = 100_000;

/** A token bucket per key, in this process only. */
export class MemoryRateLimiter implements RateLimiter {
  private readonly buckets = new LRUCache<string, Bucket>({ max: MOST_KEYS });

  /** @param now returns milliseconds of a monotonic clock */
  constructor(
    private readonly perMinute: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  take(key: string): Promise<Decision> {
    const { bucket, decision } = takeToken(this.buckets.get(key), this.perMinute, this.now());
    this.buckets.set(key, bucket);
    return Promise.resolve(decision);
  }

  close(): Promise<void> {
    this.buckets.clear();
    return Promise.resolve();
  }
}
