import { type CallResult, sameOutcome, sendBisecting } from '../bisect.js';
import { type Capacity, capacityWithin } from '../chunk.js';
import { abortOutcome } from '../connection-errors.js';
import type { CallLimits, DeliverableEvent, Outcome } from '../target.js';
import type { ErrorNames } from './failure-names.js';
import { failureOf } from './failure.js';
import { type FailureMessages, outcomeOf } from './outcome.js';
import { type EncodedRecord, type Packed, type Packing, divisible, packed } from './packing.js';

/** What a target adds to `sendBatch`. */
export interface BatchSender<Encoded extends EncodedRecord> {
  readonly limits: CallLimits;
  readonly messages: FailureMessages;
  readonly errorNames: ErrorNames;
  encode(event: DeliverableEvent): Encoded;
  /** Adapts the records to each other, such as their timestamps. Returns as many, in the order given. */
  arrange?(records: readonly Encoded[]): readonly Encoded[];
  /** Puts several events into a record; by default each event is one. */
  readonly packing?: Packing<Encoded>;
  /** Returns whether two records cannot share a call; any can by default. */
  exceedsSpan?(first: Encoded, last: Encoded): boolean;
  /**
   * Makes one call. Returns an outcome for each record, in order.
   * @throws what the client throws
   */
  call(records: readonly Encoded[], signal: AbortSignal): Promise<readonly Outcome[]>;
}

/**
 * Sends a batch, usually in one call. Rejects events above the vendor's limits without a call, splits a batch that
 * exceeds one call or holds two records of a resource (docs/decisions/order.md), and bisects a call or a record that
 * the vendor finds too large or malformed. No call follows a failed one. Never throws for an error of the vendor or the
 * network.
 * @param timeoutMs timeout of the attempt, in milliseconds
 */
export async function sendBatch<Encoded extends EncodedRecord>(
  sender: BatchSender<Encoded>,
  events: readonly DeliverableEvent[],
  signal: AbortSignal,
  timeoutMs: number,
): Promise<readonly Outcome[]> {
  const { limits } = sender;
  const encoded = events.map((event) => sender.encode(event));
  const oversized = new Map<Encoded, Outcome>();
  for (const event of encoded) {
    const outcome = oversizedOutcome(event, limits);
    if (outcome) oversized.set(event, outcome);
  }
  const fitting = encoded.filter((event) => !oversized.has(event));

  const arranged = sender.arrange?.(fitting) ?? fitting;
  const records = packed(arranged, sender.packing);
  const outcomes = await sendBisecting(records, {
    open: () => callCapacity(sender),
    send: (part) => makeCall(sender, part, signal),
    timeoutMs,
    ...(sender.packing && { packed: divisible(sender.packing) }),
  });
  // The order of the outcomes is that of the records, which need not be that of the events.
  const outcomeBy = new Map(records.flatMap((record) => record.events).map((event, index) => [event, outcomes[index]]));
  const sent = new Map(fitting.map((event, index) => [event, outcomeBy.get(arranged[index] ?? event)]));
  return encoded.map((event) => oversized.get(event) ?? sent.get(event) ?? missingOutcome);
}

const missingOutcome: Outcome = {
  kind: 'retry',
  reason: { code: 'unanswered', message: 'The response of the vendor does not mention the event.' },
};

async function makeCall<Encoded extends EncodedRecord>(
  sender: BatchSender<Encoded>,
  part: readonly Packed<Encoded>[],
  signal: AbortSignal,
): Promise<CallResult> {
  try {
    const records = part.map(({ record }) => record);
    if (!signal.aborted) return { outcomes: await sender.call(records, signal) };
  } catch (error) {
    // Once aborted, the abort is the cause of whatever was thrown.
    if (!signal.aborted) {
      const outcome = outcomeOf(failureOf(error, sender.errorNames), sender.messages);
      // A record may have caused it.
      return outcome.kind === 'rejected' ? { refused: outcome.reason } : sameOutcome(part, outcome);
    }
  }
  return sameOutcome(part, abortOutcome(signal));
}

/** Returns the capacity of an empty call: the vendor's limits, no resource twice, no record too far from the first. */
function callCapacity<Encoded extends EncodedRecord>(sender: BatchSender<Encoded>): Capacity<Packed<Encoded>> {
  const { limits } = sender;
  const fits = capacityWithin<Encoded>(
    { records: limits.records, bytes: limits.batchBytes },
    ({ callBytes, orderingKeys = [] }) => ({ bytes: callBytes, orderingKeys }),
  );
  let first: Encoded | undefined;
  return ({ record }) => {
    if (first && sender.exceedsSpan?.(first, record)) return false;
    first ??= record;
    return fits(record);
  };
}

function oversizedOutcome(record: EncodedRecord, limits: CallLimits): Outcome | null {
  if (record.recordBytes <= limits.recordBytes && record.callBytes <= limits.batchBytes) return null;
  const message = `The event is too large for the target: ${record.recordBytes} bytes, and the limit is ${limits.recordBytes}.`;
  return { kind: 'rejected', basis: 'size', reason: { code: 'record_too_large', message } };
}
