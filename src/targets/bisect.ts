import { type Capacity, chunkIntoCalls } from './chunk.js';
import type { Outcome, Reason } from './target.js';

/**
 * Most calls of one `send` once a record was delivered. To find one refused record among 1,000 takes 21 calls; without
 * a bound, 1,000 refused records would take 1,999, and 500 events of one resource 500.
 */
export const MAX_CALLS = 64;

/**
 * Most calls of one `send` before a record is delivered. A refused record is rejected only if another one of the
 * attempt is delivered. With a lower bound, each attempt could repeat the same refused records and never reach the ones
 * after them.
 */
export const MAX_CALLS_BEFORE_DELIVERY = 512;

/** After so many single refusals without a delivery, records are sent one by one: halves would only add calls. */
const REFUSALS_BEFORE_SINGLE_CALLS = 8;

/**
 * Result of one call to a vendor: an outcome for each record, or a refusal of the whole call for one of its records
 * (the size, a malformed record) that does not name the record.
 */
export type CallResult = { readonly outcomes: readonly Outcome[] } | { readonly refused: Reason };

/** Returns the result of a call with the same outcome for every record. */
export function sameOutcome(records: readonly unknown[], outcome: Outcome): CallResult {
  return { outcomes: records.map(() => outcome) };
}

/** How `sendBisecting` calls the vendor. */
export interface BisectedCall<Item> {
  /** Returns the capacity of an empty call. */
  open(): Capacity<Item>;
  /** Makes one call. Its outcomes have the order of `part`. Never throws. */
  send(part: readonly Item[]): Promise<CallResult>;
  /** Timeout of the attempt, in milliseconds: no call begins after half of it. */
  readonly timeoutMs: number;
}

/**
 * Sends `records` in as few calls as possible. Repeats a refused call in halves until the refused record is alone: it
 * is `rejected`, the other records are delivered. Keeps the order: calls are sequential, and none follows a call with a
 * record that must be retried. Records left after that, after the maximum of calls, or after half of the time are
 * `postponed`.
 * @returns an outcome for each record, in the order given
 */
export async function sendBisecting<Item>(
  records: readonly Item[],
  call: BisectedCall<Item>,
): Promise<readonly Outcome[]> {
  const started = performance.now();
  let calls = 0;
  let held = false;
  let delivered = false;
  let singleRefusals = 0;

  const sendPart = async (part: readonly Item[]): Promise<readonly Outcome[]> => {
    const maxCalls = delivered ? MAX_CALLS : MAX_CALLS_BEFORE_DELIVERY;
    const exhausted = calls >= maxCalls || (calls > 0 && performance.now() - started > call.timeoutMs / 2);
    if (held || exhausted) return part.map(() => ({ kind: 'postponed' }));
    const oneByOne = !delivered && singleRefusals >= REFUSALS_BEFORE_SINGLE_CALLS && part.length > 1;
    if (!oneByOne) {
      calls += 1;
      const result = await call.send(part);
      if ('outcomes' in result) {
        held = result.outcomes.some(({ kind }) => kind !== 'delivered' && kind !== 'rejected');
        delivered ||= result.outcomes.some(({ kind }) => kind === 'delivered');
        return result.outcomes;
      }
      if (part.length === 1) {
        singleRefusals += 1;
        return [rejection(result.refused)];
      }
    }
    const middle = oneByOne ? 1 : Math.ceil(part.length / 2);
    const first = await sendPart(part.slice(0, middle));
    return [...first, ...(await sendPart(part.slice(middle)))];
  };

  const outcomes: Outcome[] = [];
  for (const part of chunkIntoCalls(records, () => call.open())) outcomes.push(...(await sendPart(part)));
  return outcomes;
}

/** The refused content itself is too large: https://www.rfc-editor.org/rfc/rfc9110#name-413-content-too-large */
const CONTENT_TOO_LARGE = 413;

function rejection(reason: Reason): Outcome {
  return { kind: 'rejected', basis: reason.httpStatus === CONTENT_TOO_LARGE ? 'record' : 'call', reason };
}
