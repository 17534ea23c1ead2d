import type { Goal } from '../../result.js';

/** Goals of Waybill, by the name of the value. */
export const goals: Readonly<Record<string, Goal>> = {
  published: { is: 'at least', value: 2_500 },
  cpu_per_published: { is: 'at most', value: 0.6 },
  through: { is: 'at least', value: 1_400 },
  cpu_per_event_of_through: { is: 'at most', value: 1.5 },
  memory_of_all: { is: 'at most', value: 500 },
  cpu_per_event: { is: 'at most', value: 8 },
  p99: { is: 'at most', value: 15 },
  last_arrival_100: { is: 'at most', value: 110 },
  cpu_per_delivery_100: { is: 'at most', value: 2.2 },
  last_arrival_1000: { is: 'at most', value: 900 },
  cpu_per_delivery_1000: { is: 'at most', value: 1.5 },
  drained_with_start: { is: 'at least', value: 5_000 },
  last_arrival_after_kill: { is: 'at most', value: 3 },
  repeats_after_kill: { is: 'at most', value: 500 },
  out_of_order: { is: 'at most', value: 0 },
};
