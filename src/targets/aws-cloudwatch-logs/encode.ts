import type { CallLimits, EncodedRecord } from '../aws/batch-sender.js';
import type { BatchLimits, DeliverableEvent } from '../target.js';

/**
 * https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogEvents.html: 10,000 events a call; the UTF-8 bytes
 * of all messages and 26 bytes for each at most 1,048,576; all within 24 hours; none older than 14 days or more than 2 hours ahead.
 */
const MAX_EVENTS = 10_000;
const MAX_CALL_BYTES = 1_048_576;
const EVENT_OVERHEAD_BYTES = 26;
const MAX_SPAN_MS = 24 * 3_600_000;
const MAX_AGE_MS = 14 * 24 * 3_600_000;
const MAX_AHEAD_MS = 2 * 3_600_000;

/** How far inside the window a timestamp must lie: the call takes a while and clocks differ. */
const WINDOW_MARGIN_MS = 10 * 60_000;

/** What one call may carry. */
export const logGroupCallLimits: CallLimits = {
  records: MAX_EVENTS,
  callBytes: MAX_CALL_BYTES,
  recordBytes: MAX_CALL_BYTES - EVENT_OVERHEAD_BYTES,
};

/** What is claimed: counted as the vendor counts. */
export const logGroupLimits: BatchLimits = {
  records: MAX_EVENTS,
  batchBytes: MAX_CALL_BYTES,
  recordBytes: MAX_CALL_BYTES - EVENT_OVERHEAD_BYTES,
  overheadBytes: EVENT_OVERHEAD_BYTES,
  expansion: 1,
};

export interface LogRecord extends EncodedRecord {
  readonly message: string;
  /** Integer milliseconds. */
  readonly timestamp: number;
}

/**
 * One event as one log event. Its timestamp is the event's own where the vendor takes that, and otherwise the current time, so that
 * it is not lost: the event's own time stays in the payload.
 */
export function encodeLogRecord(event: DeliverableEvent, nowMs: number): LogRecord {
  const bytes = Buffer.byteLength(event.json);
  const own = Math.trunc(event.timestampMs);
  const taken =
    own >= nowMs - MAX_AGE_MS + WINDOW_MARGIN_MS && own <= nowMs + MAX_AHEAD_MS - WINDOW_MARGIN_MS;
  return {
    message: event.json,
    timestamp: taken ? own : Math.trunc(nowMs),
    recordBytes: bytes,
    callBytes: bytes + EVENT_OVERHEAD_BYTES,
  };
}

/**
 * The vendor wants ascending timestamps. A record that is older than the one before it takes that one's timestamp, instead of
 * its place: the order of the destination is worth more than a few milliseconds, which stay in the payload.
 */
export function ascending(records: readonly LogRecord[]): readonly LogRecord[] {
  let latest = 0;
  return records.map((record) => {
    latest = Math.max(latest, record.timestamp);
    return record.timestamp === latest ? record : { ...record, timestamp: latest };
  });
}

/** Whether two records span more than one call may. */
export function tooFarApart(first: LogRecord, next: LogRecord): boolean {
  return next.timestamp - first.timestamp >= MAX_SPAN_MS;
}
