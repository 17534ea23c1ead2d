import type { ServiceName } from './sandbox-contract.js';
import type { EarlyCalls } from './sandbox-contract.js';

/** Counts the calls that do not respect the Retry-After of an earlier response. */
export class RetryAfterTracker {
  private readonly waitUntil = new Map<string, number>();
  private readonly countByKey = new Map<
    string,
    { target: ServiceName; address: string; asked: number; early: number }
  >();

  /** @param now monotonic clock in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Records a Retry-After. Of several waits, the longest counts. */
  record(target: ServiceName, address: string, seconds: number): void {
    const key = `${target} ${address}`;
    this.waitUntil.set(key, Math.max(this.waitUntil.get(key) ?? 0, this.now() + seconds * 1_000));
    this.countOf(target, address).asked += 1;
  }

  /** Counts a call that comes too early. */
  check(target: ServiceName, address: string): void {
    if (this.now() < (this.waitUntil.get(`${target} ${address}`) ?? 0)) this.countOf(target, address).early += 1;
  }

  counts(): readonly EarlyCalls[] {
    return Array.from(this.countByKey.values(), (count) => ({ ...count }));
  }

  clear(): void {
    this.waitUntil.clear();
    this.countByKey.clear();
  }

  private countOf(target: ServiceName, address: string) {
    const key = `${target} ${address}`;
    const found = this.countByKey.get(key);
    if (found !== undefined) return found;
    const count = { target, address, asked: 0, early: 0 };
    this.countByKey.set(key, count);
    return count;
  }
}
