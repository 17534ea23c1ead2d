import { LRUCache } from 'lru-cache';
import type { RateLimiter } from './rate-limiter.js';
import { decide, tokensAt, type Bucket, type Decision, type RateLimit } from './token-bucket.js';

/** Most buckets. The least recently used bucket is dropped, which makes it full again. */
const MOST_BUCKETS = 100_000;

/** A token bucket per limit, in this process only. */
export class MemoryRateLimiter implements RateLimiter {
  private readonly buckets = new LRUCache<string, Bucket>({ max: MOST_BUCKETS });

  /** @param now returns milliseconds of a monotonic clock */
  constructor(private readonly now: () => number = () => performance.now()) {}

  take(limits: readonly RateLimit[], cost = 1): Promise<Decision> {
    const at = this.now();
    const held = limits.map(({ key, perMinute }) => tokensAt(this.buckets.get(key), perMinute, at));
    const costs = limits.map(({ perMinute }) => Math.min(cost, perMinute));
    const allowed = held.every((tokens, index) => tokens >= (costs[index] ?? 1));
    const left = allowed ? held.map((tokens, index) => tokens - (costs[index] ?? 1)) : held;
    limits.forEach(({ key }, index) => this.buckets.set(key, { tokens: left[index] ?? 0, at }));
    return Promise.resolve(decide(allowed, limits, left, cost));
  }

  close(): Promise<void> {
    this.buckets.clear();
    return Promise.resolve();
  }
}
