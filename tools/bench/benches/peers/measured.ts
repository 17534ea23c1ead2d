import type { CpuUse } from '../../cpu/cpu-watch.js';
import type { DeliveryCounts } from '../../result.js';

/** What one round of a row measured. */
export interface Measured {
  /** Values by name. */
  readonly values: Readonly<Record<string, number>>;
  readonly deliveries: DeliveryCounts;
  readonly cpu: CpuUse;
}

/** Returns the CPU of each process for each event, in milliseconds, and their sum. */
export function cpuOfEach(events: number, { seconds }: CpuUse): Readonly<Record<string, number>> {
  const values: Record<string, number> = {};
  let sum = 0;
  for (const name of ['api', 'worker', 'postgres', 'redis']) {
    const used = seconds[name];
    if (used === undefined) continue;
    values[`cpu_per_event_${name}`] = (used / events) * 1_000;
    sum += used;
  }
  return { cpu_per_event: (sum / events) * 1_000, ...values };
}
