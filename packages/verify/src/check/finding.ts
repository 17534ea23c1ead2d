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

/** Most findings of one verdict that are kept; all are counted. */
export const MOST_KEPT = 1_000;

/** Findings of a run. */
export class Findings {
  readonly list: Finding[] = [];
  readonly counts: Partial<Record<Verdict, number>> = {};

  /** Adds a finding, which counts once for each sequence. */
  add(finding: Finding): void {
    const { verdict, sequence = 0, last_sequence: last = sequence } = finding;
    const before = this.counts[verdict] ?? 0;
    this.counts[verdict] = before + last - sequence + 1;
    if (before < MOST_KEPT) this.list.push(finding);
  }
}
