import type { BatchLimits, DeliverableEvent } from '../target.js';

/**
 * Most bytes of the array of one call, uncompressed. The service takes 1 MB (of the compressed body too, which is not relied on);
 * at 1,000,000 bytes of rows the client would make two calls of it.
 * https://learn.microsoft.com/azure/azure-monitor/fundamentals/service-limits#logs-ingestion-api
 */
const MOST_BYTES_PER_CALL = 1_000_000;
/** Most rows of one call: a limit of ours, since the service names none beside the bytes. */
const MOST_ROWS = 2000;

/** A row of the table, as the stream of the rule declares it: the payload's members and the time that Azure sorts by. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * The row of one event: its payload, and `TimeGenerated` (when the change happened, ISO 8601), which every table has.
 * @throws SyntaxError, TypeError when the payload is not a JSON object, which delivery does not hand out.
 */
export function encodeRow(event: DeliverableEvent): Row {
  const payload: unknown = JSON.parse(event.json);
  if (!isObject(payload)) throw new TypeError(`The payload of ${event.id} is not a JSON object.`);
  return { ...payload, TimeGenerated: new Date(event.timestampMs).toISOString() };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `{"TimeGenerated":"..."}` at its longest: its two braces stand for the comma before it and the row's comma. */
const longestAddition = JSON.stringify({ TimeGenerated: new Date(8_640_000_000_000_000).toISOString() });

/**
 * Each row is its payload and `TimeGenerated`. The two more bytes of overhead are the row's share of the array's brackets: the
 * count of a batch of one is met, that of a larger one is above the truth.
 */
export const logIngestionLimits: BatchLimits = {
  records: MOST_ROWS,
  batchBytes: MOST_BYTES_PER_CALL,
  recordBytes: MOST_BYTES_PER_CALL,
  overheadBytes: Buffer.byteLength(longestAddition) + 2,
  expansion: 1,
};

/** A row and how many bytes of the call it takes, at most. */
export interface SizedRow {
  readonly row: Row;
  readonly bytes: number;
}

/** Encodes an event and says how many bytes of the call it takes, at most. */
export function sizedRow(event: DeliverableEvent): SizedRow {
  return { row: encodeRow(event), bytes: Buffer.byteLength(event.json) + logIngestionLimits.overheadBytes };
}
