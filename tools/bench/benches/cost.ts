import { median } from '../../harness/statistics.js';
import type { BenchContext } from '../bench.js';
import type { CpuUse } from '../cpu/cpu-watch.js';
import { drainBacklog, type Drained } from '../environment/backlog.js';
import type { Installation } from '../environment/installation.js';

/** Events of one measurement. The median of three measurements counts. */
export const WINDOW = 10_000;
export const WINDOWS = 3;

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

/** Returns the median of the times and of the CPU. */
export function medianCost(costs: readonly Cost[]): Cost {
  return { time: median(costs.map(({ time }) => time)), cpu: median(costs.map(({ cpu }) => cpu)) };
}

/** Drains three windows, and returns the median of their costs. The worker must run. */
export async function drainWindows(
  context: BenchContext,
  installation: Installation,
  ids: readonly string[],
): Promise<{ readonly cost: Cost; readonly drained: readonly Drained[] }> {
  const drained: Drained[] = [];
  for (let window = 1; window <= WINDOWS; window += 1)
    drained.push(await drainBacklog(installation, ids, context.scaled(WINDOW, 1_000)));
  const costs = drained.map(({ seconds, deliveries, cpu }) => costOf(deliveries.expected, seconds, cpu));
  return { cost: medianCost(costs), drained };
}
