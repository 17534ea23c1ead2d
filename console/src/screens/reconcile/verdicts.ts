import type { Difference, Reconciliation } from '@waybill/reconcile';

/**
 * The verdict on a number. `other_event`: the file holds another event with it, or two. `not_signed`: the signed log
 * has it otherwise. `arrived`: only number and id were compared. `intact`: the content too.
 */
export type Verdict =
  | 'altered'
  | 'other_event'
  | 'not_signed'
  | 'target_form'
  | 'before_records'
  | 'no_record'
  | 'intact'
  | 'arrived'
  | Reconciliation['missing'][number]['because'];

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
    meaning: 'The target took it, and the file does not hold it. Ask the vendor, with the time of its answer.',
    tone: 'bad',
  },
  unknown: {
    word: 'Unknown',
    meaning: 'The file does not hold it, and Waybill has no record of it: removed after its retention, or lost.',
    tone: 'bad',
  },
  altered: {
    word: 'Altered',
    meaning: 'The file holds it with content other than what Waybill delivered.',
    tone: 'bad',
  },
  other_event: {
    word: 'Another event',
    meaning: 'The file holds another event with this number than Waybill delivered, or two events.',
    tone: 'bad',
  },
  not_signed: {
    word: 'Not as signed',
    meaning: 'The signed log has it with other content, or the file holds what is not in the log.',
    tone: 'bad',
  },
  no_record: {
    word: 'No record',
    meaning:
      'The file holds it, and Waybill has no record of it. It is not older than the records that Waybill still has.',
    tone: 'bad',
  },
  target_form: {
    word: 'Other members',
    meaning:
      'The target stores events in a form of its own, without some members or with others. No value differs in the rest.',
    tone: 'warn',
  },
  before_records: {
    word: 'Before the records',
    meaning: 'The file holds it. Its content was not compared: it is before the records that Waybill still has.',
    tone: 'warn',
  },
  erased: {
    word: 'Erased',
    meaning: 'Waybill erased it on request, as an erasure record says. Without a verifier key, it was not verified.',
    tone: 'warn',
  },
  rejected: { word: 'Rejected', meaning: 'The target refused it for good. It can be redelivered.', tone: 'warn' },
  expired: {
    word: 'Expired',
    meaning: 'The target did not take it before its deadline. It can be redelivered.',
    tone: 'warn',
  },
  in_flight: { word: 'In flight', meaning: 'It is in the batch that is being sent or retried.', tone: 'calm' },
  pending: { word: 'Pending', meaning: 'It waits to be sent.', tone: 'calm' },
  after_export: {
    word: 'After the file',
    meaning: 'The target took the event after the target was read.',
    tone: 'calm',
  },
  intact: { word: 'Arrived', meaning: 'The file holds it, with the content that Waybill delivered.', tone: 'good' },
  arrived: { word: 'Arrived', meaning: 'The file holds its sequence and its id.', tone: 'good' },
};

/** Every verdict, worst first. */
export const verdicts = Object.keys(verdictLooks).filter((name): name is Verdict => name in verdictLooks);

/** A line of a file that holds other content, and what differs there; null where it is not known. */
export interface DifferingLine {
  readonly place: string | null;
  readonly differences: readonly Difference[] | null;
}

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
  /** Where its content differs, and how. */
  readonly lines: readonly DifferingLine[];
}

/** Returns the verdict of every number that was compared, in order. */
export function verdictRows(found: Reconciliation): readonly VerdictRow[] {
  const { from, last_sequence: last, content } = found;
  const rows: VerdictRow[] = [];
  let next = from;
  const arrivedUntil = (end: number): void => {
    const verdict = content.compared ? 'intact' : 'arrived';
    if (Math.min(end, last) >= next) rows.push({ ...plain, first: next, last: Math.min(end, last), verdict });
  };
  for (const row of singleRows(found)) {
    arrivedUntil(row.first - 1);
    rows.push(row);
    next = Math.max(next, row.last + 1);
  }
  arrivedUntil(last);
  return rows;
}

const plain = { epoch: null, eventId: null, detail: null, lines: [] } as const;

/** Returns the rows of the numbers that have not simply arrived, in order. */
function singleRows({ missing, altered, other_events: others, content, proof }: Reconciliation): readonly VerdictRow[] {
  const rows = missing.map(({ sequence, because, epoch, event_id: eventId, detail }): VerdictRow => ({
    ...plain,
    first: sequence,
    last: sequence,
    verdict: because,
    epoch,
    eventId,
    detail,
  }));
  for (const { sequence, epoch, event_id: eventId, lines, in_log: inLog } of altered) {
    const differing = lines.map(({ file, line, differences }) => ({ place: `${file}, line ${line}`, differences }));
    rows.push({
      ...plain,
      first: sequence,
      last: sequence,
      verdict: 'altered',
      epoch,
      eventId,
      detail: logHas(inLog),
      lines: differing,
    });
  }
  const numbers = new Set(rows.map(({ first }) => first));
  for (const { sequence, epoch, event_id: eventId, reason } of others) {
    if (numbers.has(sequence)) continue;
    numbers.add(sequence);
    rows.push({ ...plain, first: sequence, last: sequence, verdict: 'other_event', epoch, eventId, detail: reason });
  }
  for (const { sequence, epoch, event_id: eventId, because, differences } of content.compared
    ? content.uncertain
    : []) {
    if (numbers.has(sequence)) continue;
    numbers.add(sequence);
    const lines = differences === null ? [] : [{ place: null, differences }];
    const detail = because === 'erased' ? 'The file still holds it.' : null;
    rows.push({ ...plain, first: sequence, last: sequence, verdict: because, epoch, eventId, detail, lines });
  }
  const ranges: VerdictRow[] = [];
  for (const finding of proof?.findings ?? []) {
    const { sequence: first, last_sequence: last = first, event_id: eventId = null, reason } = finding;
    if (first === undefined || last === undefined) continue;
    const row = { ...plain, first, last, verdict: 'not_signed', eventId, detail: reason } as const;
    if (first < last) ranges.push(row);
    else if (!numbers.has(first)) {
      numbers.add(first);
      rows.push(row);
    }
  }
  // A range has a row for each part of it between the numbers that have a row.
  const known = [...numbers].toSorted((a, b) => a - b);
  let at = 0;
  let next = 0;
  for (const range of ranges.toSorted((a, b) => a.first - b.first)) {
    next = Math.max(next, range.first);
    while (next <= range.last) {
      const end = known[at] ?? Infinity;
      if (end > next) rows.push({ ...range, first: next, last: Math.min(end - 1, range.last) });
      if (end <= range.last) at += 1;
      next = Math.max(next, Math.min(end, range.last) + 1);
    }
  }
  return rows.toSorted((a, b) => a.first - b.first);
}

/** Returns what the signed log says of an altered event; null where it says nothing. */
function logHas(inLog: boolean | null | undefined): string | null {
  if (inLog == null) return null;
  return inLog
    ? "The signed log has it as the file does: Waybill's own record was altered."
    : 'The signed log does not have it as the file does.';
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
