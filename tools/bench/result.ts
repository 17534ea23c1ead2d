import { rounded } from './statistics.js';

/** What is asked of a figure. */
export interface Goal {
  readonly is: 'at least' | 'under' | 'at most';
  readonly value: number;
}

/** One number of a bench. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** Of the value: `events/s`, `ms`; empty for a ratio. */
  readonly unit: string;
  readonly goal?: Goal;
  /** Whether it is as asked; left out where nothing is asked. */
  readonly reached?: boolean;
}

/** A figure, with its goal judged on the value before it is rounded. What cannot be measured reaches nothing. */
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

/** What was published and what the sandbox counted of it. */
export interface Proof {
  readonly expected: number;
  readonly received: number;
  readonly lost: number;
  readonly duplicates: number;
}

/**
 * Lost and duplicates from what arrived.
 * @param received everything that arrived, repeats included
 */
export function proofOf(expected: number, received: number, repeats: number): Proof {
  return { expected, received, lost: expected - (received - repeats), duplicates: repeats };
}

/** The proofs of several parts as one. */
export function proofOfAll(proofs: readonly Proof[]): Proof {
  const sum = (of: (proof: Proof) => number) => proofs.reduce((total, proof) => total + of(proof), 0);
  return proofOf(
    sum(({ expected }) => expected),
    sum(({ received }) => received),
    sum(({ duplicates }) => duplicates),
  );
}

export type Backend = 'redis' | 'postgres';

/** CPU that each process used while it was measured, in percent of one core: 100 is a core that did nothing else. */
export type CpuPercent = Readonly<Record<string, number>>;

/** What one bench found on one queue backend. */
export interface BenchResult {
  readonly bench: string;
  /** Which of several measurements of the bench; empty where there is one. */
  readonly variant: string;
  readonly backend: Backend;
  readonly figures: readonly Figure[];
  readonly deliveries: Proof;
  readonly cpu_percent: CpuPercent;
  /** How long it was measured. */
  readonly seconds: number;
  readonly notes: readonly string[];
}
