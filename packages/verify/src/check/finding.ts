/** What is wrong with an export, a checkpoint or an erasure record. docs/proof.md describes each. */
export type Verdict =
  | 'altered'
  | 'altered_repeat'
  | 'reordered'
  | 'missing'
  | 'cut_at_the_end'
  | 'foreign'
  | 'not_covered'
  | 'wrong_epoch'
  | 'forked_log'
  | 'forged_checkpoint'
  | 'unknown_key'
  | 'not_cosigned'
  | 'forged_erasure'
  | 'foreign_erasure'
  | 'unannounced_erasure'
  | 'unreadable';

/** The place of an event in the files. */
export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** One thing that is wrong. */
export interface Finding extends Partial<Place> {
  readonly verdict: Verdict;
  /** Origin of the log; absent where it is not known. */
  readonly log?: string;
  /** Sequence of the event, or the first of a range; absent where it is not known. */
  readonly sequence?: number;
  /** Last sequence of the range. */
  readonly last_sequence?: number;
  readonly event_id?: string;
  readonly reason: string;
}

/** Number of the findings of each verdict: each counts once for each sequence. */
export type Counts = Readonly<Partial<Record<Verdict, number>>>;

/** Returns how many findings count that are more than those in a list. */
export function countBeyond(counts: Counts, verdict: Verdict, list: readonly Finding[]): number {
  const those = list.filter((one) => one.verdict === verdict);
  return those.reduce((rest, one) => rest - countOf(one), counts[verdict] ?? 0);
}

/** Returns how many sequences a finding is about; 1 where they are not known. */
function countOf({ sequence = 0, last_sequence: last = sequence }: Finding): number {
  return last - sequence + 1;
}

/** Most findings of one verdict that are kept; all are counted. */
export const MOST_KEPT = 1_000;

/** Findings of a run. */
export class Findings {
  readonly list: Finding[] = [];
  readonly counts: Partial<Record<Verdict, number>> = {};

  /** Adds a finding, which counts once for each sequence. */
  add(finding: Finding): void {
    const { verdict } = finding;
    const before = this.counts[verdict] ?? 0;
    this.counts[verdict] = before + countOf(finding);
    if (before < MOST_KEPT) this.list.push(finding);
  }
}
