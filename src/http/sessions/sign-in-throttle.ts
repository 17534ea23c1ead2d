import { LRUCache } from 'lru-cache';
import { networkOf } from '../request/client-address.js';

const ATTEMPTS_PER_WINDOW = 10;
const WINDOW_MS = 10 * 60 * 1000;

/**
 * Limits failed sign-ins: at most ten in ten minutes from one address (for IPv6 from one /64, the network of one
 * customer). Counts in this process only, in bounded memory.
 */
export class SignInThrottle {
  private readonly attempts = new LRUCache<string, number>({
    max: 10_000,
    ttl: WINDOW_MS,
    noUpdateTTL: true,
    perf: Date,
  });

  /** Counts an attempt from `ip`. Returns 0 when it is allowed, otherwise the seconds to wait. */
  take(ip: string | null): number {
    const key = networkOf(ip ?? '');
    const before = this.attempts.get(key) ?? 0;
    if (before >= ATTEMPTS_PER_WINDOW) return Math.ceil(this.attempts.getRemainingTTL(key) / 1000);
    this.attempts.set(key, before + 1);
    return 0;
  }

  /** Takes back an attempt from `ip` that succeeded. Attempts that failed still count: others may have made them. */
  giveBack(ip: string | null): void {
    const key = networkOf(ip ?? '');
    const before = this.attempts.get(key);
    if (before !== undefined) this.attempts.set(key, before - 1);
  }
}
