import { type CallResult, sendBisecting } from './bisect.js';
import { capacityWithin } from './chunk.js';
import type { CallLimits, Outcome, Reason } from './target.js';

/** An encoded record, and an upper bound of its bytes in a call. */
export interface SizedRecord {
  readonly bytes: number;
}

/** How `sendWithinSize` calls the vendor. */
export interface SizeLimitedCall<Sized> {
  readonly limits: CallLimits;
  /** Returns why a record of so many bytes is not sent. */
  tooLarge(bytes: number): Reason;
  /** Makes one call. Its outcomes have the order of `part`. Never throws. */
  send(part: readonly Sized[]): Promise<CallResult>;
  /** Timeout of the attempt, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Sends records to a vendor that accepts or refuses a call as a whole. Rejects a record above `recordBytes` without a
 * call, and sends the others with `sendBisecting` in calls of at most `batchBytes` and `records`.
 * @returns an outcome for each record, in the order given
 */
export async function sendWithinSize<Sized extends SizedRecord>(
  records: readonly Sized[],
  call: SizeLimitedCall<Sized>,
): Promise<readonly Outcome[]> {
  const { limits, timeoutMs } = call;
  const fitting = records.filter(({ bytes }) => bytes <= limits.recordBytes);
  const callLimits = { records: limits.records, bytes: limits.batchBytes };
  const outcomes = await sendBisecting(fitting, {
    open: () => capacityWithin(callLimits, ({ bytes }) => ({ bytes, orderingKeys: [] })),
    send: (part) => call.send(part),
    timeoutMs,
  });
  const outcomeOf = new Map(fitting.map((record, index) => [record, outcomes[index]]));
  return records.map(
    (record) => outcomeOf.get(record) ?? { kind: 'rejected', basis: 'size', reason: call.tooLarge(record.bytes) },
  );
}
