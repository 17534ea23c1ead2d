import { type CallAnswer, sendHalving } from '../halving.js';
import type { DeliverableEvent, Outcome } from '../target.js';
import type { SpecialNames } from './failure-names.js';
import { type Failure, abortedBy, failureOf } from './failure.js';
import { type Words, outcomeOf } from './outcome.js';

/** What every record counts against the vendor's limits. */
export interface EncodedRecord {
  /** Bytes against the limit for one record. */
  readonly recordBytes: number;
  /** Bytes against the limit for one call. */
  readonly callBytes: number;
}

/** The vendor's own limits, for what is sent (BatchLimits bounds what is claimed). */
export interface CallLimits {
  readonly records: number;
  readonly callBytes: number;
  readonly recordBytes: number;
}

/** What one target brings to the sending of a batch. */
export interface BatchSender<Encoded extends EncodedRecord> {
  readonly limits: CallLimits;
  readonly words: Words;
  readonly specialNames: SpecialNames;
  encode(event: DeliverableEvent): Encoded;
  /** Makes of the records what the vendor wants of their order among each other: as many, in the order given. */
  arrange?(records: readonly Encoded[]): readonly Encoded[];
  /** Whether the first and the last record of a call may not share it; by default any may. */
  apart?(first: Encoded, last: Encoded): boolean;
  /** One call; one outcome per record, in order. Throws what the client throws. */
  call(records: readonly Encoded[], signal: AbortSignal): Promise<readonly Outcome[]>;
}

/**
 * Sends a batch: usually one call. Rejects without a call what the vendor would not take, splits what is more than one call may
 * carry, and halves a call that the vendor finds too large or malformed, so that only the records at fault are rejected. After a
 * call that failed no more are made: the records that they would have carried share its outcome. Never throws for what the
 * vendor says.
 */
export async function sendBatch<Encoded extends EncodedRecord>(
  sender: BatchSender<Encoded>,
  events: readonly DeliverableEvent[],
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  const { limits } = sender;
  const records = events.map((event) => sender.encode(event));
  const oversized = new Map<Encoded, Outcome>();
  for (const record of records) {
    const outcome = whyTooLarge(record, limits);
    if (outcome) oversized.set(record, outcome);
  }
  const fitting = records.filter((record) => !oversized.has(record));

  let tookAny = false;
  const answers = await sendHalving(sender.arrange?.(fitting) ?? fitting, {
    fits: (part) => fitsOneCall(part, sender),
    send: async (part) => {
      const answer = await makeCall(sender, part, tookAny, signal);
      tookAny ||= 'outcomes' in answer && answer.outcomes.some(({ kind }) => kind === 'delivered');
      return answer;
    },
  });
  const answerTo = new Map(fitting.map((record, index) => [record, answers[index]]));
  return records.map((record) => oversized.get(record) ?? answerTo.get(record) ?? unanswered);
}

const unanswered: Outcome = {
  kind: 'retry',
  reason: { code: 'unanswered', message: 'The vendor did not say what became of the record.' },
};

async function makeCall<Encoded extends EncodedRecord>(
  sender: BatchSender<Encoded>,
  part: readonly Encoded[],
  tookAny: boolean,
  signal: AbortSignal,
): Promise<CallAnswer> {
  try {
    if (!signal.aborted) return { outcomes: await sender.call(part, signal) };
  } catch (error) {
    return answerFor(failureOf(error, signal, sender.specialNames), sender.words, part.length, tookAny);
  }
  return answerFor(abortedBy(signal), sender.words, part.length, tookAny);
}

/** The answer of a call that failed as a whole: what may lie in its records is searched for, the rest is said of all. */
function answerFor(failed: Failure, words: Words, records: number, tookAny: boolean): CallAnswer {
  const outcome = outcomeOf(failed, words);
  const recordMayBeAtFault =
    outcome.kind === 'rejected' || (failed.kind === 'refused' && (records > 1 || tookAny));
  return recordMayBeAtFault && outcome.kind !== 'delivered'
    ? { refused: outcome.reason }
    : { outcomes: Array.from({ length: records }, () => outcome) };
}

function fitsOneCall<Encoded extends EncodedRecord>(
  part: readonly Encoded[],
  sender: BatchSender<Encoded>,
): boolean {
  const { limits } = sender;
  if (part.length > limits.records) return false;
  if (part.reduce((sum, { callBytes }) => sum + callBytes, 0) > limits.callBytes) return false;
  const [first, last] = [part[0], part.at(-1)];
  return !first || !last || !sender.apart?.(first, last);
}

function whyTooLarge(record: EncodedRecord, limits: CallLimits): Outcome | null {
  if (record.recordBytes <= limits.recordBytes && record.callBytes <= limits.callBytes) return null;
  const message = `The event is too large for the target: ${record.recordBytes} bytes, at most ${limits.recordBytes} are taken.`;
  return { kind: 'rejected', reason: { code: 'record_too_large', message } };
}
