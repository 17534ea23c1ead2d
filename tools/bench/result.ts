import type { Backend } from '../harness/options.js';
import { rounded } from '../harness/statistics.js';

/** Goal of a figure. */
export interface Goal {
  readonly is: 'at least' | 'under' | 'at most';
  readonly value: number;
}

/** One measured value. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** `events/s`, `ms`; empty for a ratio. */
  readonly unit: string;
  readonly goal?: Goal;
  /** Left out without a goal. */
  readonly reached?: boolean;
}

/** Builds a figure. The goal is compared with the value before rounding; NaN reaches no goal. */
export function figure(name: string, value: number, unit: string, goal?: Goal): Figure {
  return { name, value: rounded(value), unit, ...(goal && { goal, reached: reaches(value, goal) }) };
}

function reaches(value: number, goal: Goal): boolean {
  switch (goal.is) {
    case 'at least':
      return value >= goal.value;
    case 'under':
      return value < goal.value;
    case 'at most':
      return value <= goal.value;
  }
}

/** Events that were published, and what the sandbox counted of them. */
export interface DeliveryCounts {
  readonly expected: number;
  readonly received: number;
  readonly lost: number;
  readonly duplicates: number;
}

/**
 * Derives lost and duplicate events.
 * @param received all arrivals, including repeats
 */
export function deliveryCounts(expected: number, received: number, repeats: number): DeliveryCounts {
  return { expected, received, lost: expected - (received - repeats), duplicates: repeats };
}

/** The counts of several parts as one. */
export function sumOfCounts(parts: readonly DeliveryCounts[]): DeliveryCounts {
  const sum = (of: (part: DeliveryCounts) => number) => parts.reduce((total, part) => total + of(part), 0);
  return deliveryCounts(
    sum(({ expected }) => expected),
    sum(({ received }) => received),
    sum(({ duplicates }) => duplicates),
  );
}

/** CPU use by process, in percent of one core. */
export type CpuPercent = Readonly<Record<string, number>>;

/** Result of one bench on one queue backend. */
export interface BenchResult {
  readonly bench: string;
  /** Name of one of several measurements of the bench; empty if there is one. */
  readonly variant: string;
  readonly backend: Backend;
  readonly figures: readonly Figure[];
  readonly deliveries: DeliveryCounts;
  readonly cpu_percent: CpuPercent;
  readonly seconds: number;
  readonly notes: readonly string[];
}
