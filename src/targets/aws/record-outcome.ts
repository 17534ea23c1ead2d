import type { Outcome } from '../target.js';
import { type ErrorNames, kindOfName } from './failure-names.js';
import type { Failure } from './failure.js';
import { type FailureMessages, outcomeOf } from './outcome.js';

/** What a vendor's error codes mean. */
interface Vendor {
  readonly errorNames: ErrorNames;
  readonly messages: FailureMessages;
}

/**
 * Returns the outcomes of a response with status 200, whose entries have the order and number of the records. A record
 * is delivered only with the vendor's receipt: a proxy may respond with an empty 200. An unknown error code is retried:
 * it does not blame the record.
 * @param receiptOf returns what the vendor gives to a record that it has accepted
 */
export function recordOutcomes<Entry extends { readonly ErrorCode?: string | undefined }>(
  records: number,
  entries: readonly Entry[],
  receiptOf: (entry: Entry) => string | undefined,
  { errorNames, messages }: Vendor,
): readonly Outcome[] {
  return Array.from({ length: records }, (_, index) => {
    const entry = entries[index];
    if (!entry?.ErrorCode) return entry && receiptOf(entry) ? { kind: 'delivered' } : outcomeOf(noReceipt, messages);
    const code = /^[A-Za-z][A-Za-z0-9_.-]{0,99}$/.test(entry.ErrorCode) ? entry.ErrorCode : 'unknown_error';
    const kind = kindOfName(code, errorNames) ?? 'unknown';
    const message = errorNames[code]?.message;
    const failure = { kind, code, httpStatus: 200, afterMs: undefined };
    return outcomeOf(message === undefined ? failure : { ...failure, message }, messages);
  });
}

const noReceipt: Failure = {
  kind: 'unknown',
  code: 'no_receipt',
  httpStatus: 200,
  afterMs: undefined,
  message:
    'The response has status 200 and no receipt for the event. Check that the address is the vendor’s: a proxy may have responded.',
};
