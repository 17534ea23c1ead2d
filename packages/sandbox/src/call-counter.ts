import type { CallCount, ServiceName } from './sandbox-contract.js';

/** Counts calls by service, operation and status. */
export class CallCounter {
  private readonly countByKey = new Map<
    string,
    { target: ServiceName; operation: string; status: number; calls: number }
  >();

  /** Status 0: no response was sent. */
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
