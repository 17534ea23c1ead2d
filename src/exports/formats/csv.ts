import { isJsonObject, type JsonObject } from '../../events/json-object.js';
import type { StoredEvent } from '../../events/stored-event.js';
import type { ExportedDelivery, LineFormat } from './line-format.js';

/**
 * Beginnings that a spreadsheet may take for a formula, also behind white space: `=`, `+`, `-`, `@`, their full-width
 * forms, tab, carriage return and line feed. https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/u;

/** A column: its name, and the value of an event in it. */
type Column<Row> = readonly [name: string, value: (row: Row) => unknown];

interface EventRow {
  readonly event: StoredEvent;
  /** An `EventEnvelope` of which `fields` may have left out or hashed parts. */
  readonly payload: JsonObject;
}

const eventColumns: readonly Column<EventRow>[] = [
  ['event_id', ({ event }) => event.id],
  ['event_type', ({ event }) => event.type],
  ['event_timestamp', ({ payload }) => payload.event_timestamp],
  ['occurred_at', ({ payload }) => payload.occurred_at],
  ['resource_id', ({ payload }) => payload.resource_id],
  ['version', ({ payload }) => payload.version],
  ['principal_id', ({ payload }) => valueAt(payload, 'principal', 'id')],
  ['principal_subject', ({ payload }) => valueAt(payload, 'principal', 'subject')],
  ['credential_id', ({ payload }) => valueAt(payload, 'principal', 'credential', 'id')],
  // Of a published event: the key that published it, whatever the principal.
  ['via_credential_id', ({ payload }) => valueAt(payload, 'principal', 'via', 'id')],
  ['operation_id', ({ payload }) => valueAt(payload, 'request', 'operation_id')],
  ['ip', ({ payload }) => valueAt(payload, 'request', 'ip')],
  ['user_agent', ({ payload }) => valueAt(payload, 'request', 'user_agent')],
  ['changes', ({ payload }) => payload.changes],
  ['object', ({ payload }) => payload.object],
];

/** Returns a value of a payload; undefined where it is absent. The hash of an object stands for each value in it. */
function valueAt(payload: JsonObject, ...path: readonly string[]): unknown {
  let value: unknown = payload;
  for (const name of path) {
    if (typeof value === 'string') return value;
    value = isJsonObject(value) ? value[name] : undefined;
  }
  return value;
}

const deliveryColumns: readonly Column<ExportedDelivery>[] = [
  ['sequence', ({ sequence }) => sequence],
  ['epoch', ({ epoch }) => epoch],
  ['state', ({ state }) => state],
  ['finished_at', ({ finishedAt }) => finishedAt?.toISOString()],
  ['error_code', ({ error }) => error?.code],
  ['error_message', ({ error }) => error?.message],
  ['backfill_id', ({ backfillId }) => backfillId],
  ['projected', ({ projected }) => projected],
];

/** One event a row, with the columns of RFC 4180. Every cell is quoted, and none begins as a formula does. */
export const csv: LineFormat = {
  mediaType: 'text/csv; charset=utf-8; header=present',
  head: (withDeliveries) =>
    rowOf([...eventColumns.map(([name]) => name), ...(withDeliveries ? deliveryColumns.map(([name]) => name) : [])]),
  line: (event, delivery) => {
    const payload: JsonObject = JSON.parse(event.payload);
    const cells = eventColumns.map(([, value]) => value({ event, payload }));
    return rowOf(delivery === null ? cells : [...cells, ...deliveryColumns.map(([, value]) => value(delivery))]);
  },
};

function rowOf(cells: readonly unknown[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

/** Returns a quoted cell, with JSON for an object. An apostrophe before a formula makes it text. */
function cellOf(value: unknown): string {
  const text = typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value);
  return `"${FORMULA.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
}
