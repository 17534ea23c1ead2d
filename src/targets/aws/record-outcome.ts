import type { Outcome } from '../target.js';
import { type ErrorNames, kindOfName } from './failure-names.js';
import { type FailureMessages, outcomeOf } from './outcome.js';

/** The part of a response with status 200 that is about one record. */
export interface RecordResponse {
  /** How many records of the call the vendor counts as failed. */
  readonly failed: number;
  /** The record's entry, where the response has one. */
  readonly entry: { readonly ErrorCode?: string | undefined } | undefined;
  readonly errorNames: ErrorNames;
  readonly messages: FailureMessages;
}

/** Returns the outcome of one record. An unknown error code is retried: it does not blame the record. */
export function recordOutcome({ failed, entry, errorNames, messages }: RecordResponse): Outcome {
  if (!entry && failed > 0) {
    return outcomeOf({ kind: 'unknown', code: 'unanswered', httpStatus: 200, afterMs: undefined }, messages);
  }
  if (!entry?.ErrorCode) return { kind: 'delivered' };
  const code = /^[A-Za-z][A-Za-z0-9_.-]{0,99}$/.test(entry.ErrorCode) ? entry.ErrorCode : 'unknown_error';
  const message = errorNames[code]?.message;
  return outcomeOf(
    {
      kind: kindOfName(code, errorNames) ?? 'unknown',
      code,
      httpStatus: 200,
      afterMs: undefined,
      ...(message === undefined ? {} : { message }),
    },
    messages,
  );
}
