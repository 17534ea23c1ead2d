import { sendHalving } from './halving.js';
import type { CallAnswer } from './halving.js';
import type { BatchLimits, Outcome, Reason } from './target.js';

/** A record as the vendor gets it, and how many bytes of a call it takes at most. */
export interface SizedRecord {
  readonly bytes: number;
}

/**
 * Sends records within a vendor's limits, for the targets that answer a call as a whole: a record that is larger than `recordBytes`
 * is `rejected` without a call, the others go as `sendHalving` has it, in calls of at most `batchBytes` and `records`.
 *
 * @param tooLarge says why a record of so many bytes is not sent.
 * @returns an outcome for each record, in the order given.
 */
export async function sendFitting<Sized extends SizedRecord>(
  records: readonly Sized[],
  limits: Pick<BatchLimits, 'records' | 'batchBytes' | 'recordBytes'>,
  tooLarge: (bytes: number) => Reason,
  send: (part: readonly Sized[]) => Promise<CallAnswer>,
): Promise<readonly Outcome[]> {
  const fitting = records.filter(({ bytes }) => bytes <= limits.recordBytes);
  const outcomes = await sendHalving(fitting, {
    fits: (part) =>
      part.length <= limits.records && part.reduce((sum, { bytes }) => sum + bytes, 0) <= limits.batchBytes,
    send,
  });
  const outcomeOf = new Map(fitting.map((record, index) => [record, outcomes[index]]));
  return records.map(
    (record) => outcomeOf.get(record) ?? { kind: 'rejected', reason: tooLarge(record.bytes) },
  );
}
