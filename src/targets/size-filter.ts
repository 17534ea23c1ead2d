import { sendBisecting } from './bisect.js';
import type { CallAnswer } from './bisect.js';
import { capacityWithin } from './chunk.js';
import type { BatchLimits, Outcome, Reason } from './target.js';

/** A record as the vendor gets it, and how many bytes of a call it takes at most. */
export interface SizedRecord {
  readonly bytes: number;
}

/** How `sendWithinSize` makes its calls. */
export interface FittingCall<Sized> {
  readonly limits: Pick<BatchLimits, 'records' | 'batchBytes' | 'recordBytes'>;
  /** Why a record of so many bytes is not sent. */
  tooLarge(bytes: number): Reason;
  /** Makes one call; its answer has an outcome for each record of `part`, in order. Never throws. */
  send(part: readonly Sized[]): Promise<CallAnswer>;
  /** How long an attempt may take, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Sends records within a vendor's limits, for the targets that answer a call as a whole: a record that is larger than `recordBytes`
 * is `rejected` without a call, the others go as `sendBisecting` has it, in calls of at most `batchBytes` and `records`.
 *
 * @returns an outcome for each record, in the order given.
 */
export async function sendWithinSize<Sized extends SizedRecord>(
  records: readonly Sized[],
  call: FittingCall<Sized>,
): Promise<readonly Outcome[]> {
  const { limits, timeoutMs } = call;
  const fitting = records.filter(({ bytes }) => bytes <= limits.recordBytes);
  const room = { records: limits.records, bytes: limits.batchBytes };
  const outcomes = await sendBisecting(fitting, {
    open: () => capacityWithin(room, ({ bytes }) => ({ bytes, orderingKey: undefined })),
    send: (part) => call.send(part),
    timeoutMs,
  });
  const outcomeOf = new Map(fitting.map((record, index) => [record, outcomes[index]]));
  return records.map(
    (record) =>
      outcomeOf.get(record) ?? { kind: 'rejected', grounds: 'size', reason: call.tooLarge(record.bytes) },
  );
}
