import { type CallResult, sendBisecting } from './bisect.js';
import { capacityWithin } from './chunk.js';
import type { CallLimits, Connection, DeliverableEvent, Outcome, Reason } from './target.js';

/** An encoded record, and an upper bound of its bytes in a call. */
interface SizedRecord {
  readonly bytes: number;
}

/** How a vendor is called that accepts or refuses a call as a whole. */
interface WholeCalls<Sized extends SizedRecord> {
  readonly limits: CallLimits;
  /** Timeout of the attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Encodes an event. `nowMs` is the time of the attempt. */
  encode(event: DeliverableEvent, nowMs: number): Sized;
  /** Returns why a record of so many bytes is not sent. */
  tooLarge(bytes: number): Reason;
  /** Makes one call. Its outcomes have the order of `part`. Never throws. */
  send(part: readonly Sized[], signal: AbortSignal): Promise<CallResult>;
}

/**
 * Returns a connection to a vendor that accepts or refuses a call as a whole. Rejects a record above `recordBytes`
 * without a call, and sends the others with `sendBisecting` in calls of at most `batchBytes` and `records`.
 */
export function wholeCallConnection<Sized extends SizedRecord>(vendor: WholeCalls<Sized>): Connection {
  const { limits, timeoutMs } = vendor;
  const callLimits = { records: limits.records, bytes: limits.batchBytes };
  return {
    send: async (events, signal) => {
      const nowMs = Date.now();
      const records = events.map((event) => vendor.encode(event, nowMs));
      const fitting = records.filter(({ bytes }) => bytes <= limits.recordBytes);
      const outcomes = await sendBisecting(fitting, {
        open: () => capacityWithin(callLimits, ({ bytes }) => ({ bytes, orderingKeys: [] })),
        send: (part) => vendor.send(part, signal),
        timeoutMs,
      });
      const outcomeOf = new Map(fitting.map((record, index) => [record, outcomes[index]]));
      return records.map(
        (record) => outcomeOf.get(record) ?? { kind: 'rejected', basis: 'size', reason: vendor.tooLarge(record.bytes) },
      );
    },
    close,
  };
}

/** Returns a connection for a destination without its secret: every event finds it misconfigured. */
export function connectionWithoutSecret(code: string, message: string): Connection {
  const outcome: Outcome = { kind: 'misconfigured', reason: { code, message } };
  return { send: async (events) => events.map(() => outcome), close };
}

/** Does nothing: the process shares the sockets. */
async function close(): Promise<void> {}
