import { type CallAnswer, forEvery, sendBisecting } from '../bisect.js';
import { type Room, capacityWithin } from '../chunk.js';
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
  /** The resource of the event, where the vendor answers record by record: its events go one call after another. */
  readonly orderingKey?: string;
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
 * carry or what must not share one (docs/decisions/order.md), and halves a call that the vendor finds too large or malformed, so
 * that only the records at fault are rejected. After a call in which something failed no more are made. Never throws for what the
 * vendor says.
 * @param timeoutMs how long an attempt may take, in milliseconds
 */
export async function sendBatch<Encoded extends EncodedRecord>(
  sender: BatchSender<Encoded>,
  events: readonly DeliverableEvent[],
  signal: AbortSignal,
  timeoutMs: number,
): Promise<readonly Outcome[]> {
  const { limits } = sender;
  const records = events.map((event) => sender.encode(event));
  const oversized = new Map<Encoded, Outcome>();
  for (const record of records) {
    const outcome = whyTooLarge(record, limits);
    if (outcome) oversized.set(record, outcome);
  }
  const fitting = records.filter((record) => !oversized.has(record));

  const answers = await sendBisecting(sender.arrange?.(fitting) ?? fitting, {
    open: () => roomOf(sender),
    send: (part) => makeCall(sender, part, signal),
    timeoutMs,
  });
  const toProblemResponse = new Map(fitting.map((record, index) => [record, answers[index]]));
  return records.map((record) => oversized.get(record) ?? toProblemResponse.get(record) ?? unanswered);
}

const unanswered: Outcome = {
  kind: 'retry',
  reason: { code: 'unanswered', message: 'The vendor did not say what became of the record.' },
};

async function makeCall<Encoded extends EncodedRecord>(
  sender: BatchSender<Encoded>,
  part: readonly Encoded[],
  signal: AbortSignal,
): Promise<CallAnswer> {
  try {
    if (!signal.aborted) return { outcomes: await sender.call(part, signal) };
  } catch (error) {
    return answerFor(failureOf(error, signal, sender.specialNames), sender.words, part);
  }
  return answerFor(abortedBy(signal), sender.words, part);
}

/** The answer of a call that failed as a whole: what may lie in its records is searched for, the rest is said of all. */
function answerFor(failed: Failure, words: Words, part: readonly unknown[]): CallAnswer {
  const outcome = outcomeOf(failed, words);
  return outcome.kind === 'rejected' ? { refused: outcome.reason } : forEvery(part, outcome);
}

/** An empty call: within the vendor's limits, no resource twice, and none that is too far apart from the first. */
function roomOf<Encoded extends EncodedRecord>(sender: BatchSender<Encoded>): Room<Encoded> {
  const { limits } = sender;
  const takes = capacityWithin<Encoded>(
    { records: limits.records, bytes: limits.callBytes },
    ({ callBytes, orderingKey }) => ({ bytes: callBytes, orderingKey }),
  );
  let first: Encoded | undefined;
  return (record) => {
    if (first && sender.apart?.(first, record)) return false;
    first ??= record;
    return takes(record);
  };
}

function whyTooLarge(record: EncodedRecord, limits: CallLimits): Outcome | null {
  if (record.recordBytes <= limits.recordBytes && record.callBytes <= limits.callBytes) return null;
  const message = `The event is too large for the target: ${record.recordBytes} bytes, at most ${limits.recordBytes} are taken.`;
  return { kind: 'rejected', grounds: 'size', reason: { code: 'record_too_large', message } };
}
