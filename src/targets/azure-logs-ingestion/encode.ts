import type { BatchLimits, DeliverableEvent } from '../target.js';

/**
 * Most bytes of one call's array, uncompressed. The service accepts 1 MB:
 * https://learn.microsoft.com/azure/azure-monitor/fundamentals/service-limits#logs-ingestion-api
 */
const MAX_CALL_BYTES = 1_000_000;
/** Most rows of one call: a limit of Waybill. The service documents none but the bytes. */
const MAX_ROWS = 2000;

/** A row for the stream of the rule, as JSON: the payload's members and `TimeGenerated`. */
export type Row = string;

/**
 * Returns the row of one event: its payload, and `TimeGenerated` (time of the change, ISO 8601), which every table has.
 * The member is added to the text of the payload: parsed, a payload may take over ten times its bytes in memory. No
 * payload has a member of this name.
 * @throws TypeError when the payload is not a JSON object
 */
export function encodeRow(event: DeliverableEvent): Row {
  const { id, json, timestampMs } = event;
  if (!json.startsWith('{') || !json.endsWith('}')) throw new TypeError(`The payload of ${id} is not a JSON object.`);
  const comma = json === '{}' ? '' : ',';
  return `${json.slice(0, -1)}${comma}"TimeGenerated":"${new Date(timestampMs).toISOString()}"}`;
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
