import type { Outcome } from '../target.js';
import { type SpecialNames, kindOfName } from './failure-names.js';
import { type Words, outcomeOf } from './outcome.js';

/** What a vendor says of one record in an answer with status 200. */
export interface RecordAnswer {
  /** How many records of the call the vendor counts as failed. */
  readonly failed: number;
  /** The record's entry in the answer, where there is one. */
  readonly entry: { readonly ErrorCode?: string | undefined } | undefined;
  readonly names: SpecialNames;
  readonly words: Words;
}

/** What became of one record. A code that is not known is tried again: it says nothing against the record. */
export function recordOutcome({ failed, entry, names, words }: RecordAnswer): Outcome {
  if (!entry && failed > 0) {
    return outcomeOf({ kind: 'unknown', code: 'unanswered', httpStatus: 200, afterMs: undefined }, words);
  }
  if (!entry?.ErrorCode) return { kind: 'delivered' };
  const code = /^[A-Za-z][A-Za-z0-9_.-]{0,99}$/.test(entry.ErrorCode) ? entry.ErrorCode : 'unknown_error';
  const message = names[code]?.message;
  return outcomeOf(
    {
      kind: kindOfName(code, names) ?? 'unknown',
      code,
      httpStatus: 200,
      afterMs: undefined,
      ...(message === undefined ? {} : { message }),
    },
    words,
  );
}
