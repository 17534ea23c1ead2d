import type { BatchLimits, DeliverableEvent } from '../target.js';
import { MAX_SERVICE_BYTES, MAX_TAGS_BYTES, type MonitoringConfig } from './config.js';

/** https://docs.datadoghq.com/api/latest/logs/#send-logs (maximum array size) */
const MAX_ENTRIES = 1000;
/** https://docs.datadoghq.com/api/latest/logs/#send-logs (5 MB a payload, uncompressed) */
const MAX_CALL_BYTES = 5_000_000;
/** https://docs.datadoghq.com/api/latest/logs/#send-logs (1 MB an entry; a longer one is truncated with a 2xx) */
const MAX_ENTRY_BYTES = 1_000_000;
/**
 * https://docs.datadoghq.com/logs/log_configuration/processors/log_date_remapper/ (18 hours in the past, two in the
 * future)
 */
const MAX_AGE_MS = 18 * 3_600_000;
const MAX_AHEAD_MS = 2 * 3_600_000;
/** Distance from the ends of that window at encoding, because the call takes time. */
const MARGIN_MS = 10 * 60_000;

const MAX_TIMESTAMP_MS = 8_640_000_000_000_000;

/** A log entry of the client, which drops unknown members outside `additionalProperties`. */
export interface LogEntry {
  readonly message: string;
  readonly ddsource: string;
  readonly service: string;
  readonly ddtags?: string;
  readonly additionalProperties: { readonly timestamp: number; readonly status: string };
}

/**
 * Returns the entry of one event. `message` is the payload as text, whose JSON Datadog parses into attributes. An event
 * outside the window that Datadog accepts gets the current time; its own stays in the payload.
 */
export function encodeEntry(event: DeliverableEvent, config: MonitoringConfig, nowMs: number): LogEntry {
  const ageMs = nowMs - event.timestampMs;
  const inWindow = ageMs < MAX_AGE_MS - MARGIN_MS && ageMs > MARGIN_MS - MAX_AHEAD_MS;
  return {
    message: event.json,
    ddsource: 'waybill',
    service: config.service || 'waybill',
    ...(config.tags && { ddtags: config.tags }),
    additionalProperties: { timestamp: inWindow ? event.timestampMs : nowMs, status: 'info' },
  };
}

/** Serializes an entry as the client does. */
function serialize({ additionalProperties, ...entry }: LogEntry): string {
  return JSON.stringify({ ...entry, ...additionalProperties });
}

/** An entry without its message, at its longest. */
const longestFrame = serialize({
  message: '',
  ddsource: 'waybill',
  service: 'x'.repeat(MAX_SERVICE_BYTES),
  ddtags: 'x'.repeat(MAX_TAGS_BYTES),
  additionalProperties: { timestamp: MAX_TIMESTAMP_MS, status: 'info' },
});

/**
 * The payload becomes a JSON string, which doubles it at worst (quotes and backslashes). Two bytes of overhead are the
 * comma and a share of the array's brackets.
 */
export const monitoringLimits: BatchLimits = {
  records: MAX_ENTRIES,
  batchBytes: MAX_CALL_BYTES,
  recordBytes: MAX_ENTRY_BYTES,
  overheadBytes: Buffer.byteLength(longestFrame) + 2,
  expansion: 2,
};

/** An entry, and an upper bound of its bytes in a call. */
export interface SizedEntry {
  readonly entry: LogEntry;
  readonly bytes: number;
}

/** Encodes an event. The bytes are exact for large entries; for small ones a cheaper upper bound. */
export function sizedEntry(event: DeliverableEvent, config: MonitoringConfig, nowMs: number): SizedEntry {
  const entry = encodeEntry(event, config, nowMs);
  const bound = Math.ceil(Buffer.byteLength(event.json) * monitoringLimits.expansion) + monitoringLimits.overheadBytes;
  return { entry, bytes: bound <= MAX_ENTRY_BYTES ? bound : Buffer.byteLength(serialize(entry)) + 2 };
}
