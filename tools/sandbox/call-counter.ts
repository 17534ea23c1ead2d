import type { ServiceName } from './exchange.js';
import type { CallCount } from './sandbox-contract.js';

/** Counts calls by service, operation and status. */
export class CallCounter {
  private readonly countByKey = new Map<
    string,
    { target: ServiceName; operation: string; status: number; calls: number }
  >();

  /** `status` 0 stands for a call without an answer. */
  add(target: ServiceName, operation: string, status: number): void {
    const key = `${target} ${operation} ${status}`;
    const count = this.countByKey.get(key);
    if (count === undefined) this.countByKey.set(key, { target, operation, status, calls: 1 });
    else count.calls += 1;
  }

  counts(): readonly CallCount[] {
    return Array.from(this.countByKey.values(), (count) => ({ ...count }));
  }

  clear(): void {
    this.countByKey.clear();
  }
}
