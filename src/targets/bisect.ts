import { type Room, chunkIntoCalls } from './chunk.js';
import type { Outcome, Reason } from './target.js';

/**
 * Most calls that one `send` makes. One refused record among 1,000 takes 21 to find; without a bound, 1,000 refused ones would
 * take 1,999, and 500 events of one resource 500.
 */
export const MOST_CALLS = 64;

/**
 * Most calls that one `send` makes before anything is taken. Refused records are rejected only where another is taken beside them:
 * giving up before the first good one would mean to ask the same ones again at the next attempt, and never to get behind them.
 */
export const MOST_CALLS_FOR_NOTHING = 512;

/**
 * So many records refused alone, and nothing taken yet, show that a run of them stands at the head. To get behind one in order
 * each has to be asked alone; asking for halves of it beforehand would double the calls.
 */
const REFUSED_IN_A_ROW = 8;

/**
 * What a call to a vendor came to: an outcome for each record it carried, or a refusal of the call as a whole for something in it
 * (its size, or one malformed record) that does not say which record is to blame.
 */
export type CallAnswer = { readonly outcomes: readonly Outcome[] } | { readonly refused: Reason };

/** The same outcome for every record of a call: the answer of a vendor that takes all or nothing. */
export function forEvery(records: readonly unknown[], outcome: Outcome): CallAnswer {
  return { outcomes: records.map(() => outcome) };
}

/** How `sendBisecting` makes its calls. */
export interface HalvingCall<Record> {
  /** An empty call: what goes into it goes together. */
  open(): Room<Record>;
  /** Makes one call; its answer has an outcome for each record of `part`, in order. Never throws. */
  send(part: readonly Record[]): Promise<CallAnswer>;
  /** How long an attempt may take, in milliseconds: no call is begun once half of it is over. */
  readonly timeoutMs: number;
}

/**
 * Sends `records` in as few calls as they go into. A call that the vendor refuses is made again in halves, and halves of those,
 * until what it refuses stands alone: that record is `rejected`, its neighbours are delivered. The order is kept: calls are made
 * one after another, and none after one in which something has to be tried again. What they would have carried is `postponed`,
 * as is what is left after `mostCalls` calls (`mostCallsForNothing` while nothing is taken) or half of the time.
 *
 * @returns an outcome for each record, in the order given.
 */
export async function sendBisecting<Record>(
  records: readonly Record[],
  call: HalvingCall<Record>,
): Promise<readonly Outcome[]> {
  const begun = performance.now();
  let calls = 0;
  let held = false;
  let took = false;
  let refusedAlone = 0;

  const sendPart = async (part: readonly Record[]): Promise<readonly Outcome[]> => {
    const most = took ? MOST_CALLS : MOST_CALLS_FOR_NOTHING;
    const spent = calls >= most || (calls > 0 && performance.now() - begun > call.timeoutMs / 2);
    if (held || spent) return part.map(() => ({ kind: 'postponed' }));
    const oneByOne = !took && refusedAlone >= REFUSED_IN_A_ROW && part.length > 1;
    if (!oneByOne) {
      calls += 1;
      const answer = await call.send(part);
      if ('outcomes' in answer) {
        held = answer.outcomes.some(({ kind }) => kind !== 'delivered' && kind !== 'rejected');
        took ||= answer.outcomes.some(({ kind }) => kind === 'delivered');
        return answer.outcomes;
      }
      if (part.length === 1) {
        refusedAlone += 1;
        return [rejection(answer.refused)];
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

/** https://www.rfc-editor.org/rfc/rfc9110#name-413-content-too-large: a refusal of what is sent, whoever sends it. */
const CONTENT_TOO_LARGE = 413;

function rejection(reason: Reason): Outcome {
  return { kind: 'rejected', grounds: reason.httpStatus === CONTENT_TOO_LARGE ? 'record' : 'call', reason };
}
