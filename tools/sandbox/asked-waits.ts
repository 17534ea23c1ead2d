import type { ServiceName } from './exchange.js';
import type { EarlyCalls } from './sandbox-contract.js';

/** Remembers the waits that throttling answers asked for, and counts the calls that did not wait so long. */
export class AskedWaits {
  private readonly until = new Map<string, number>();
  private readonly early = new Map<
    string,
    { target: ServiceName; address: string; asked: number; early: number }
  >();

  /** `now` gives milliseconds on a clock that never goes back. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** A caller was told to wait. Of several waits the longest counts. */
  ask(target: ServiceName, address: string, seconds: number): void {
    const key = `${target} ${address}`;
    this.until.set(key, Math.max(this.until.get(key) ?? 0, this.now() + seconds * 1_000));
    this.of(target, address).asked += 1;
  }

  /** A call came. */
  call(target: ServiceName, address: string): void {
    if (this.now() < (this.until.get(`${target} ${address}`) ?? 0)) this.of(target, address).early += 1;
  }

  counts(): readonly EarlyCalls[] {
    return Array.from(this.early.values(), (count) => ({ ...count }));
  }

  clear(): void {
    this.until.clear();
    this.early.clear();
  }

  private of(target: ServiceName, address: string) {
    const key = `${target} ${address}`;
    const found = this.early.get(key);
    if (found !== undefined) return found;
    const count = { target, address, asked: 0, early: 0 };
    this.early.set(key, count);
    return count;
  }
}
