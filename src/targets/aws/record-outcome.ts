import type { Outcome } from '../target.js';
import { type ErrorNames, kindOfName } from './failure-names.js';
import type { Failure } from './failure.js';
import { type FailureMessages, outcomeOf } from './outcome.js';

/** The part of a response with status 200 that is about one record. */
export interface RecordResponse {
  /** The error code of the record's entry, where it has one. */
  readonly errorCode: string | undefined;
  /** What the vendor gives to a record that it has accepted: `SequenceNumber` or `RecordId`. */
  readonly receipt: string | undefined;
  readonly errorNames: ErrorNames;
  readonly messages: FailureMessages;
}

/**
 * Returns the outcome of one record. It is delivered only with the vendor's receipt: a proxy may respond with an empty
 * 200. An unknown error code is retried: it does not blame the record.
 */
export function recordOutcome({ errorCode, receipt, errorNames, messages }: RecordResponse): Outcome {
  if (!errorCode) return receipt ? { kind: 'delivered' } : outcomeOf(noReceipt, messages);
  const code = /^[A-Za-z][A-Za-z0-9_.-]{0,99}$/.test(errorCode) ? errorCode : 'unknown_error';
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

const noReceipt: Failure = {
  kind: 'unknown',
  code: 'no_receipt',
  httpStatus: 200,
  afterMs: undefined,
  message:
    'The response has status 200 and no receipt for the event. Check that the address is the vendor’s: a proxy may have responded.',
};
