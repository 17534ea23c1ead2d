import { LRUCache } from 'lru-cache';
import { networkOf } from '../client-address.js';

const ATTEMPTS_PER_WINDOW = 10;
const WINDOW_MS = 10 * 60 * 1000;

/**
 * Limits sign-in attempts: at most ten in ten minutes from one address (for IPv6 from one /64, the network of one
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

  /** Forgets the attempts from `ip` after a success. */
  reset(ip: string | null): void {
    this.attempts.delete(networkOf(ip ?? ''));
  }
}
