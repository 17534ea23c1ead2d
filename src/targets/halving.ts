import type { Outcome, Reason } from './target.js';

/**
 * Most calls that one `send` makes while it narrows down what a vendor refuses. One refused record among 1,000 takes 21; without
 * a bound, 1,000 refused ones would take 1,999.
 */
export const mostCalls = 64;

/** Why a record has to wait although nothing is known against it. */
const postponed =
  'The target refuses many records of this batch; what it was not asked about yet is tried again.';

/**
 * What a call to a vendor came to: an outcome for each record it carried, or a refusal of the call as a whole for something in it
 * (its size, or one malformed record) that does not say which record is to blame.
 */
export type CallAnswer = { readonly outcomes: readonly Outcome[] } | { readonly refused: Reason };

/** The same outcome for every record of a call: the answer of a vendor that takes all or nothing. */
export function forEvery(records: readonly unknown[], outcome: Outcome): CallAnswer {
  return { outcomes: records.map(() => outcome) };
}

/** How `sendHalving` makes its calls. */
export interface HalvingCall<Record> {
  /** Whether these records may go in one call; a part that may not is halved without one. A single record always may. */
  fits(part: readonly Record[]): boolean;
  /** Makes one call; its answer has an outcome for each record of `part`, in order. Never throws. */
  send(part: readonly Record[]): Promise<CallAnswer>;
}

/**
 * Sends `records` in one call where they fit and the vendor takes them so, and otherwise in halves, and halves of those, until
 * what the vendor refuses stands alone: that record is `rejected`, its neighbours are delivered. The order is kept: calls are
 * made one after another, and none after one that has to be retried. After `mostCalls` calls the rest is left for the next
 * attempt.
 *
 * Where the vendor refuses every record that it was asked about, for another reason than its size, it is not the records that are
 * wrong but how the destination is set up: they are `misconfigured` and wait, instead of being rejected one after another.
 *
 * @returns an outcome for each record, in the order given.
 */
export async function sendHalving<Record>(
  records: readonly Record[],
  call: HalvingCall<Record>,
): Promise<readonly Outcome[]> {
  let calls = 0;
  let held: Outcome | undefined;

  const sendPart = async (part: readonly Record[]): Promise<readonly Outcome[]> => {
    const holding = held;
    if (holding) return part.map(() => holding);
    if (part.length > 1 && !call.fits(part)) return sendHalves(part);
    calls += 1;
    const answer = await call.send(part);
    if ('outcomes' in answer) {
      held = answer.outcomes.find(({ kind }) => kind === 'retry' || kind === 'misconfigured');
      return answer.outcomes;
    }
    if (calls >= mostCalls) held = { kind: 'retry', reason: { ...answer.refused, message: postponed } };
    return part.length === 1 ? [{ kind: 'rejected', reason: answer.refused }] : sendHalves(part);
  };
  const sendHalves = async (part: readonly Record[]): Promise<readonly Outcome[]> => {
    const middle = Math.ceil(part.length / 2);
    const first = await sendPart(part.slice(0, middle));
    return [...first, ...(await sendPart(part.slice(middle)))];
  };

  const outcomes = records.length === 0 ? [] : await sendPart(records);
  return tookNone(outcomes) ? outcomes.map(waiting) : outcomes;
}

/** https://www.rfc-editor.org/rfc/rfc9110#name-413-content-too-large: a refusal of what is sent, whoever sends it. */
const contentTooLarge = 413;

/** Whether several records were refused for their content and none was taken. */
function tookNone(outcomes: readonly Outcome[]): boolean {
  const refused = outcomes.filter(
    (outcome) => outcome.kind === 'rejected' && outcome.reason.httpStatus !== contentTooLarge,
  );
  return refused.length > 1 && !outcomes.some(({ kind }) => kind === 'delivered');
}

function waiting(outcome: Outcome): Outcome {
  return outcome.kind === 'rejected' || outcome.kind === 'retry'
    ? { kind: 'misconfigured', reason: outcome.reason }
    : outcome;
}
