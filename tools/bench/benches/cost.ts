import type { CpuUse } from '../cpu/cpu-watch.js';

/** Cost of an event, in microseconds. */
export interface Cost {
  readonly time: number;
  /** CPU of the worker, Postgres and Redis. Other work on the machine hardly changes it. */
  readonly cpu: number;
}

/** Returns the cost of each of some events. */
export function costOf(events: number, seconds: number, { seconds: used }: CpuUse): Cost {
  const cpu = ['worker', 'postgres', 'redis'].reduce((sum, name) => sum + (used[name] ?? 0), 0);
  return { time: (seconds / events) * 1e6, cpu: (cpu / events) * 1e6 };
}
