import type { Delivery } from '@waybill/client';
import { cellsOf, type NumberWindow } from './number-window.js';

/** What a number of the ribbon is, the worst first. `removed`: its delivery is older than its retention, or missing. */
export const numberStates = ['missing', 'rejected', 'expired', 'waiting', 'cancelled', 'removed', 'delivered'] as const;
/** What a number of the ribbon is. */
export type NumberState = (typeof numberStates)[number];

/** A cell of the ribbon: one number, or several. */
export interface RibbonCell extends NumberWindow {
  /** The worst state in it; null where nothing is known but that no failure is. */
  readonly state: NumberState | null;
  /** How many of its numbers have each state. */
  readonly counts: Readonly<Partial<Record<NumberState, number>>>;
}

/** What the ribbon was made of. */
export interface RibbonInput {
  /** Deliveries with a number. */
  readonly deliveries: readonly Pick<Delivery, 'sequence' | 'state' | 'created_at'>[];
  /** Whether `deliveries` has all of the window, so that a number without one is missing. */
  readonly isComplete: boolean;
  /** The last number that was given when they were read; undefined: not below the end of the window. */
  readonly last?: number | undefined;
  /** Since when the service has all deliveries; undefined where it removed none. */
  readonly completeSince?: string | undefined;
}

/** A cell while its numbers are counted. */
interface CountedCell extends NumberWindow {
  readonly counts: Partial<Record<NumberState, number>>;
}

const stateOf: Readonly<Record<Delivery['state'], NumberState>> = {
  pending: 'waiting',
  in_flight: 'waiting',
  delivered: 'delivered',
  rejected: 'rejected',
  expired: 'expired',
  cancelled: 'cancelled',
};

/** Returns the cells of a window, in order. */
export function ribbonOf(window: NumberWindow, input: RibbonInput): readonly RibbonCell[] {
  const states = statesOf(window, input);
  const cells = cellsOf(window).map((cell): CountedCell => ({ ...cell, counts: {} }));
  const each = cells[0] === undefined ? 1 : cells[0].to - cells[0].from + 1;
  for (const [number, state] of states) {
    const counts = cells[Math.floor((number - window.from) / each)]?.counts;
    if (counts) counts[state] = (counts[state] ?? 0) + 1;
  }
  return cells.map((cell) => ({ ...cell, state: numberStates.find((state) => cell.counts[state]) ?? null }));
}

/** Returns the numbers of a window without a delivery that must have one, as ranges in order. */
export function missingRanges(window: NumberWindow, input: RibbonInput): readonly NumberWindow[] {
  const ranges: NumberWindow[] = [];
  for (const [number, state] of statesOf(window, input)) {
    if (state !== 'missing') continue;
    const before = ranges.at(-1);
    if (before?.to === number - 1) ranges.splice(-1, 1, { from: before.from, to: number });
    else ranges.push({ from: number, to: number });
  }
  return ranges;
}

/** Returns the state of each number that is known. */
function statesOf(window: NumberWindow, { deliveries, isComplete, last, completeSince }: RibbonInput) {
  const found = new Map(deliveries.flatMap((one) => (one.sequence === null ? [] : [[one.sequence, one] as const])));
  const states = new Map<number, NumberState>();
  // After a number whose delivery is younger than what was removed, no later one was removed.
  let isKept = completeSince === undefined;
  const since = Date.parse(completeSince ?? '');
  if (!isComplete) {
    for (const [number, { state }] of found) {
      if (number >= window.from && number <= window.to) states.set(number, stateOf[state]);
    }
    return states;
  }
  for (let number = window.from; number <= Math.min(window.to, last ?? window.to); number += 1) {
    const delivery = found.get(number);
    if (delivery) isKept ||= Date.parse(delivery.created_at) >= since;
    states.set(number, delivery ? stateOf[delivery.state] : isKept ? 'missing' : 'removed');
  }
  return states;
}

/** Tones in which the states of numbers are shown. */
export const numberTones: Readonly<Record<NumberState, 'good' | 'warn' | 'bad' | 'calm' | 'plain'>> = {
  missing: 'bad',
  rejected: 'bad',
  expired: 'warn',
  waiting: 'calm',
  cancelled: 'plain',
  removed: 'plain',
  delivered: 'good',
};

/** Returns the word for a state of numbers: `removed after their retention`. */
export function numberWord(state: NumberState): string {
  return state === 'removed' ? 'removed after their retention' : state;
}

/** Returns a cell in words: `Sequence 17: rejected`, `Sequences 11 to 20: 9 delivered, 1 rejected`. */
export function cellText({ from, to, state, counts }: RibbonCell): string {
  if (from === to) return `Sequence ${written(from)}: ${state === null ? 'no failure known' : oneWord(state)}`;
  const parts = numberStates.flatMap((one) => (counts[one] ? [`${written(counts[one])} ${numberWord(one)}`] : []));
  const known = parts.length === 0 ? 'no failure known' : parts.join(', ');
  return `Sequences ${written(from)} to ${written(to)}: ${known}`;
}

function oneWord(state: NumberState): string {
  return state === 'removed' ? 'removed after its retention' : state;
}

/** Returns how many numbers of the cells have each state. */
export function totalsOf(cells: readonly RibbonCell[]): Readonly<Partial<Record<NumberState, number>>> {
  const totals: Partial<Record<NumberState, number>> = {};
  for (const { counts } of cells) {
    for (const state of numberStates) {
      const count = counts[state];
      if (count !== undefined) totals[state] = (totals[state] ?? 0) + count;
    }
  }
  return totals;
}

function written(value: number): string {
  return value.toLocaleString('en');
}
