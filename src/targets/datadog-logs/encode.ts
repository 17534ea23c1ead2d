import type { BatchLimits, DeliverableEvent } from '../target.js';
import { LONGEST_SERVICE, LONGEST_TAGS } from './config.js';
import type { MonitoringConfig } from './config.js';

/** https://docs.datadoghq.com/api/latest/logs/#send-logs (maximum array size) */
const MOST_ENTRIES = 1000;
/** https://docs.datadoghq.com/api/latest/logs/#send-logs (5 MB a payload, uncompressed) */
const MOST_BYTES_PER_CALL = 5_000_000;
/** https://docs.datadoghq.com/api/latest/logs/#send-logs (1 MB a log; a longer one is cut, and answered with a 2xx) */
const MOST_BYTES_PER_ENTRY = 1_000_000;
/** https://docs.datadoghq.com/logs/log_configuration/processors/log_date_remapper/ (18 hours in the past, two in the future) */
const OLDEST_MS = 18 * 3_600_000;
const NEWEST_MS = 2 * 3_600_000;
/** How far inside that window an entry must be when it is encoded, so that it still is when it arrives. */
const MARGIN_MS = 10 * 60_000;

const LONGEST_TIMESTAMP = 8_640_000_000_000_000;

/** A log entry in the words of the client: what is not its own goes into `additionalProperties`, or it drops it. */
export interface LogEntry {
  readonly message: string;
  readonly ddsource: string;
  readonly service: string;
  readonly ddtags?: string;
  readonly additionalProperties: { readonly timestamp: number; readonly status: string };
}

/**
 * The entry of one event. `message` is the payload as text: Datadog parses JSON in it into attributes. An event outside the
 * window that Datadog takes is given the current time (its own stays in the payload) rather than lost.
 */
export function encodeEntry(event: DeliverableEvent, config: MonitoringConfig, nowMs: number): LogEntry {
  const ageMs = nowMs - event.timestampMs;
  const inWindow = ageMs < OLDEST_MS - MARGIN_MS && ageMs > MARGIN_MS - NEWEST_MS;
  return {
    message: event.json,
    ddsource: 'waybill',
    service: config.service ?? 'waybill',
    ...(config.tags !== null && { ddtags: config.tags }),
    additionalProperties: { timestamp: inWindow ? event.timestampMs : nowMs, status: 'info' },
  };
}

/** The entry as the client writes it: one object of the array. */
function written({ additionalProperties, ...entry }: LogEntry): string {
  return JSON.stringify({ ...entry, ...additionalProperties });
}

/** The longest that everything beside the message can get: the service's name of three UTF-8 bytes a character, full tags. */
const longestFrame = written({
  message: '',
  ddsource: 'waybill',
  service: 'x'.repeat(LONGEST_SERVICE * 3),
  ddtags: 'x'.repeat(LONGEST_TAGS),
  additionalProperties: { timestamp: LONGEST_TIMESTAMP, status: 'info' },
});

/**
 * The payload becomes a JSON string: at worst every byte of it is a quote or a backslash and doubles. The two more bytes of
 * overhead are the entry's comma and its share of the array's brackets.
 */
export const monitoringLimits: BatchLimits = {
  records: MOST_ENTRIES,
  batchBytes: MOST_BYTES_PER_CALL,
  recordBytes: MOST_BYTES_PER_ENTRY,
  overheadBytes: Buffer.byteLength(longestFrame) + 2,
  expansion: 2,
};

/** An entry and its size: exact where it matters, an upper bound where that is cheaper and small enough. */
export interface SizedEntry {
  readonly entry: LogEntry;
  readonly bytes: number;
}

/** Encodes an event and says how many bytes of the call it takes, at most. */
export function sizedEntry(event: DeliverableEvent, config: MonitoringConfig, nowMs: number): SizedEntry {
  const entry = encodeEntry(event, config, nowMs);
  const bound =
    Math.ceil(Buffer.byteLength(event.json) * monitoringLimits.expansion) + monitoringLimits.overheadBytes;
  return { entry, bytes: bound <= MOST_BYTES_PER_ENTRY ? bound : Buffer.byteLength(written(entry)) + 2 };
}
