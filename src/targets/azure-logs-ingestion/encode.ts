import type { BatchLimits, DeliverableEvent } from '../target.js';

/**
 * Most bytes of one call's array, uncompressed. The service accepts 1 MB, and the client splits 1,000,000 bytes of rows
 * into two calls. https://learn.microsoft.com/azure/azure-monitor/fundamentals/service-limits#logs-ingestion-api
 */
const MAX_CALL_BYTES = 1_000_000;
/** Most rows of one call: a limit of Waybill. The service documents none but the bytes. */
const MAX_ROWS = 2000;

/** A row for the stream of the rule: the payload's members and `TimeGenerated`. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Returns the row of one event: its payload, and `TimeGenerated` (time of the change, ISO 8601), which every table has.
 * @throws SyntaxError, TypeError when the payload is not a JSON object
 */
export function encodeRow(event: DeliverableEvent): Row {
  const payload: unknown = JSON.parse(event.json);
  if (!isObject(payload)) throw new TypeError(`The payload of ${event.id} is not a JSON object.`);
  return { ...payload, TimeGenerated: new Date(event.timestampMs).toISOString() };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * `{"TimeGenerated":"..."}` at its longest. Its two braces stand for the comma before it and the comma after the row.
 */
const longestAddition = JSON.stringify({ TimeGenerated: new Date(8_640_000_000_000_000).toISOString() });

/**
 * Each row is its payload and `TimeGenerated`. Two bytes of overhead are a share of the array's brackets: exact for one
 * row, an upper bound for more.
 */
export const logIngestionLimits: BatchLimits = {
  records: MAX_ROWS,
  batchBytes: MAX_CALL_BYTES,
  recordBytes: MAX_CALL_BYTES,
  overheadBytes: Buffer.byteLength(longestAddition) + 2,
  expansion: 1,
};

/** A row, and an upper bound of its bytes in a call. */
export interface SizedRow {
  readonly row: Row;
  readonly bytes: number;
}

/** Encodes an event. */
export function sizedRow(event: DeliverableEvent): SizedRow {
  return { row: encodeRow(event), bytes: Buffer.byteLength(event.json) + logIngestionLimits.overheadBytes };
}
