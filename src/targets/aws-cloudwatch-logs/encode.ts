import type { EncodedRecord } from '../aws/packing.js';
import type { BatchLimits, DeliverableEvent } from '../target.js';

/**
 * https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogEvents.html: 10,000 events a call; the
 * UTF-8 bytes of all messages and 26 bytes for each at most 1,048,576; all within 24 hours; none older than 14 days or
 * more than 2 hours ahead.
 */
const MAX_EVENTS = 10_000;
const MAX_CALL_BYTES = 1_048_576;
const EVENT_OVERHEAD_BYTES = 26;
const DAY_MS = 24 * 3_600_000;
const MAX_SPAN_MS = DAY_MS;
const MAX_AGE_MS = 14 * DAY_MS;
const MAX_AHEAD_MS = 2 * 3_600_000;

/** Distance of a timestamp from the ends of that window: the call takes time, and clocks differ. */
const WINDOW_MARGIN_MS = 10 * 60_000;

/**
 * The retentions of a log group that end within the window. The vendor refuses what is older than the retention.
 * https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html
 */
const SHORT_RETENTIONS_MS = [1, 3, 5, 7].map((days) => days * DAY_MS);
const retentionEdgesMs = SHORT_RETENTIONS_MS.flatMap((age) => [age - WINDOW_MARGIN_MS, age + WINDOW_MARGIN_MS]);

/** Counted as the vendor does. */
export const logGroupLimits: BatchLimits = {
  records: MAX_EVENTS,
  batchBytes: MAX_CALL_BYTES,
  recordBytes: MAX_CALL_BYTES - EVENT_OVERHEAD_BYTES,
  overheadBytes: EVENT_OVERHEAD_BYTES,
  expansion: 1,
};

export interface LogRecord extends EncodedRecord {
  readonly resourceId: string;
  readonly message: string;
  /** Integer milliseconds. */
  readonly timestamp: number;
}

/**
 * Encodes one event as one log event. Its timestamp is the event's own where the vendor accepts it, otherwise the
 * current time. The event's own time stays in the payload.
 */
export function encodeLogRecord(event: DeliverableEvent, nowMs: number): LogRecord {
  const bytes = Buffer.byteLength(event.json);
  const own = Math.trunc(event.timestampMs);
  const accepted = own >= nowMs - MAX_AGE_MS + WINDOW_MARGIN_MS && own <= nowMs + MAX_AHEAD_MS - WINDOW_MARGIN_MS;
  return {
    resourceId: event.resourceId,
    message: event.json,
    timestamp: accepted ? own : Math.trunc(nowMs),
    recordBytes: bytes,
    callBytes: bytes + EVENT_OVERHEAD_BYTES,
  };
}

/**
 * Makes timestamps ascend, as the vendor requires within a call. A record older than the one before it gets that one's
 * timestamp: this keeps the order of the destination, and the payload keeps the time.
 * @param from timestamp of the record before the first
 */
export function ascending(records: readonly LogRecord[], from: number): readonly LogRecord[] {
  let latest = from;
  return records.map((record) => {
    latest = Math.max(latest, record.timestamp);
    return record.timestamp === latest ? record : { ...record, timestamp: latest };
  });
}

/**
 * Returns the records with the ordering keys of those that are about as old as a short retention: of two such records,
 * the vendor may refuse the older one alone.
 */
export function withOrderingKeys(records: readonly LogRecord[], nowMs: number): readonly LogRecord[] {
  return records.map((record) =>
    partOfWindow(record, nowMs) % 2 === 0 ? record : { ...record, orderingKeys: [record.resourceId] },
  );
}

/**
 * Returns whether two records cannot share a call: they span more time than one may, or a retention may end between
 * them.
 */
export function exceedsSpan(first: LogRecord, next: LogRecord, nowMs: number): boolean {
  const spanMs = next.timestamp - first.timestamp;
  return spanMs >= MAX_SPAN_MS || partOfWindow(first, nowMs) !== partOfWindow(next, nowMs);
}

/**
 * Returns the part of the window that a record is in. The odd parts are around the short retentions. Of two records in
 * one even part, the vendor accepts both or refuses both for their age.
 */
function partOfWindow({ timestamp }: LogRecord, nowMs: number): number {
  return retentionEdgesMs.filter((age) => nowMs - timestamp > age).length;
}
