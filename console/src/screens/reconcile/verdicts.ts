import type { Reconciliation } from '../../../../tools/reconcile/comparison/reconcile.js';

/** What became of a number. */
export type Verdict = 'arrived' | Reconciliation['missing'][number]['because'];

/** How a verdict is shown, and what it means. */
export interface VerdictLook {
  readonly word: string;
  readonly meaning: string;
  readonly tone: 'good' | 'calm' | 'warn' | 'bad';
}

/** Looks of the verdicts, worst first. */
export const verdictLooks: Readonly<Record<Verdict, VerdictLook>> = {
  acknowledged: {
    word: 'Missing',
    meaning: 'The target took it, and the export does not hold it. Ask the vendor, with the time of its answer.',
    tone: 'bad',
  },
  unknown: {
    word: 'Unknown',
    meaning: 'The export does not hold it, and Waybill has no record of it: removed after its retention, or lost.',
    tone: 'bad',
  },
  rejected: { word: 'Rejected', meaning: 'The target refused it for good. It can be redelivered.', tone: 'warn' },
  expired: {
    word: 'Expired',
    meaning: 'The target did not take it before its deadline. It can be redelivered.',
    tone: 'warn',
  },
  in_flight: { word: 'In flight', meaning: 'It is in the batch that is being sent or retried.', tone: 'calm' },
  pending: { word: 'Pending', meaning: 'It waits to be sent.', tone: 'calm' },
  after_export: { word: 'After the export', meaning: 'The target took it after the export was made.', tone: 'calm' },
  arrived: { word: 'Arrived', meaning: 'The export holds it.', tone: 'good' },
};

/** Every verdict, worst first. */
export const verdicts = Object.keys(verdictLooks).filter((name): name is Verdict => name in verdictLooks);

/** A number and its verdict; numbers in a row that arrived are together. */
export interface VerdictRow {
  readonly first: number;
  readonly last: number;
  readonly verdict: Verdict;
  /** Null for numbers that arrived. */
  readonly epoch: number | null;
  readonly eventId: string | null;
  /** Last error of the target, or the time of its acknowledgement. */
  readonly detail: string | null;
}

/** Returns the verdict of every number that was compared, in order. */
export function verdictRows({ from, last_sequence: last, missing }: Reconciliation): readonly VerdictRow[] {
  const rows: VerdictRow[] = [];
  let next = from;
  const arrivedUntil = (end: number): void => {
    if (end < next) return;
    rows.push({ first: next, last: end, verdict: 'arrived', epoch: null, eventId: null, detail: null });
  };
  for (const { sequence, because, epoch, event_id: eventId, detail } of missing) {
    arrivedUntil(sequence - 1);
    rows.push({ first: sequence, last: sequence, verdict: because, epoch, eventId, detail });
    next = sequence + 1;
  }
  arrivedUntil(last);
  return rows;
}

/** Returns how many numbers have each verdict. */
export function countVerdicts(rows: readonly VerdictRow[]): ReadonlyMap<Verdict, number> {
  const counts = new Map<Verdict, number>();
  for (const { verdict, first, last } of rows) counts.set(verdict, (counts.get(verdict) ?? 0) + last - first + 1);
  return counts;
}

/** Returns the rows with one of the verdicts, and with a number. @param wanted null: every verdict */
export function matchingRows(
  rows: readonly VerdictRow[],
  wanted: readonly Verdict[] | null,
  number: number | null,
): readonly VerdictRow[] {
  return rows.filter(
    ({ verdict, first, last }) =>
      (wanted === null || wanted.includes(verdict)) && (number === null || (first <= number && number <= last)),
  );
}
