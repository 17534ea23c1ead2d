import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

const ATTEMPTS_PER_WINDOW = 10;
const WINDOW_MS = 10 * 60 * 1000;

/**
 * Slows guessing: at most ten attempts in ten minutes from one address (of IPv6: one /64, which is what one customer has).
 * Counts in this process alone, in bounded memory.
 */
export class SignInThrottle {
  private readonly attempts = new LRUCache<string, number>({
    max: 10_000,
    ttl: WINDOW_MS,
    noUpdateTTL: true,
    perf: Date,
  });

  /** Counts an attempt from `ip`. Gives 0 when it may go on, otherwise the seconds to wait. */
  take(ip: string): number {
    const key = network(ip);
    const before = this.attempts.get(key) ?? 0;
    if (before >= ATTEMPTS_PER_WINDOW) return Math.ceil(this.attempts.getRemainingTTL(key) / 1000);
    this.attempts.set(key, before + 1);
    return 0;
  }

  /** Forgets the attempts from `ip`: one of them succeeded. */
  forgive(ip: string): void {
    this.attempts.delete(network(ip));
  }
}

function network(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return address.toNormalizedString().split(':').slice(0, 4).join(':');
}
