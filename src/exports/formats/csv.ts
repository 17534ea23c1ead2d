import { isJsonObject, type JsonObject } from '../../events/envelope/json-object.js';
import type { StoredEvent } from '../../events/envelope/stored-event.js';
import type { ExportedDelivery, LineFormat } from './line-format.js';
import { ndjson } from './ndjson.js';

/**
 * The first characters of a formula: `=`, `+`, `-`, `@`, their full-width and small forms, and the minus sign.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = '[=+\\-@＝＋－＠﹦﹢﹣﹫\u2212]';
/** What a reader may skip at the beginning of a cell: white space, controls, marks and invisible characters. */
const SKIPPED = '\\s\\p{C}\\p{Z}\\p{M}\\p{Default_Ignorable_Code_Point}\u2800';
/** The beginning of a cell that a spreadsheet may take for a formula. */
const FIRST = new RegExp(`^(?:[${SKIPPED}]*${FORMULA}|[\\t\\r\\n])`, 'u');
/**
 * A character before a formula that ends a cell where a reader takes a semicolon or a tab for the separator. Quotes
 * count as skipped. Tabs and line breaks do not: each begins a match, and a text of them would cost the square of its
 * length.
 */
const INNER = new RegExp(`[;\\t\\r\\n](?=(?:(?![\\t\\r\\n])[${SKIPPED}"])*${FORMULA})`, 'gu');
/** In JSON, only a semicolon can be such a character: tabs and line breaks are escaped. */
const INNER_OF_JSON = new RegExp(`;(?=[${SKIPPED}]*${FORMULA})`, 'gu');

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
  ['repaired', ({ payload }) => payload.repaired],
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

/**
 * One event a row, with the columns of RFC 4180. Every cell is quoted, and none begins as a formula does,
 * also where the file is read with a semicolon or a tab as separator.
 */
export const csv: LineFormat = {
  mediaType: 'text/csv; charset=utf-8; header=present',
  head: (withDeliveries) => {
    const names = eventColumns.map(([name]) => name);
    return rowOf(withDeliveries ? [...names, ...deliveryColumns.map(([name]) => name), 'event'] : names);
  },
  line: (event, delivery) => {
    const payload: JsonObject = JSON.parse(event.payload);
    const cells = eventColumns.map(([, value]) => value({ event, payload }));
    if (delivery === null) return rowOf(cells);
    // The other columns leave out members of the event, and so prove nothing.
    const whole = new JsonText(ndjson.line(event, delivery).trimEnd());
    return rowOf([...cells, ...deliveryColumns.map(([, value]) => value(delivery)), whole]);
  },
};

/** A text that is JSON already. */
class JsonText {
  constructor(readonly text: string) {}
}

function rowOf(cells: readonly unknown[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

/**
 * Returns a quoted cell, with JSON for an object. An apostrophe before a formula makes it text. In JSON, a semicolon
 * before a formula is escaped instead, so that the value stays as it is.
 */
function cellOf(value: unknown): string {
  return `"${inert(value).replaceAll('"', '""')}"`;
}

function inert(value: unknown): string {
  if (value == null) return '';
  if (typeof value !== 'string') {
    const json = value instanceof JsonText ? value.text : JSON.stringify(value);
    return json.replaceAll(INNER_OF_JSON, '\\u003b');
  }
  return `${FIRST.test(value) ? "'" : ''}${value.replaceAll(INNER, "$&'")}`;
}
