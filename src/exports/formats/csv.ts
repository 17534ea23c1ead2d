import type { DeliveryStateView } from '../../delivery/views/delivery-view.js';
import type { EventEnvelope } from '../../events/event-envelope.js';
import type { StoredEvent } from '../../events/stored-event.js';
import type { LineFormat } from './line-format.js';

/**
 * Beginnings that a spreadsheet may take for a formula, also behind white space: `=`, `+`, `-`, `@`, their full-width
 * forms, tab, carriage return and line feed. https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/u;

/** A column: its name, and the value of an event in it. */
type Column<Row> = readonly [name: string, value: (row: Row) => string | number | null | undefined];

interface EventRow {
  readonly event: StoredEvent;
  readonly payload: EventEnvelope;
}

const eventColumns: readonly Column<EventRow>[] = [
  ['event_id', ({ event }) => event.id],
  ['event_type', ({ event }) => event.type],
  ['event_timestamp', ({ payload }) => payload.event_timestamp],
  ['occurred_at', ({ payload }) => payload.occurred_at],
  ['resource_id', ({ event }) => event.resourceId],
  ['version', ({ payload }) => payload.version],
  ['principal_id', ({ payload }) => payload.principal.id],
  ['principal_subject', ({ payload }) => payload.principal.subject],
  ['credential_id', ({ payload: { principal } }) => principal.credential?.id ?? principal.via?.id],
  ['operation_id', ({ payload }) => payload.request.operation_id],
  ['ip', ({ payload }) => payload.request.ip],
  ['user_agent', ({ payload }) => payload.request.user_agent],
  ['changes', ({ payload }) => payload.changes && JSON.stringify(payload.changes)],
  ['object', ({ payload }) => JSON.stringify(payload.object)],
];

const deliveryColumns: readonly Column<DeliveryStateView>[] = [
  ['sequence', ({ sequence }) => sequence],
  ['epoch', ({ epoch }) => epoch],
  ['state', ({ state }) => state],
  ['finished_at', ({ finishedAt }) => finishedAt?.toISOString()],
  ['error_code', ({ error }) => error?.code],
  ['error_message', ({ error }) => error?.message],
  ['backfill_id', ({ backfillId }) => backfillId],
];

/** One event a row, with the columns of RFC 4180. Every cell is quoted, and none begins as a formula does. */
export const csv: LineFormat = {
  mediaType: 'text/csv; charset=utf-8; header=present',
  head: (withDeliveries) =>
    rowOf([...eventColumns.map(([name]) => name), ...(withDeliveries ? deliveryColumns.map(([name]) => name) : [])]),
  line: (event, delivery) => {
    const payload: EventEnvelope = JSON.parse(event.payload);
    const cells = eventColumns.map(([, value]) => value({ event, payload }));
    return rowOf(delivery === null ? cells : [...cells, ...deliveryColumns.map(([, value]) => value(delivery))]);
  },
};

function rowOf(cells: readonly (string | number | null | undefined)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

/** Returns a quoted cell. An apostrophe before a formula makes it text. */
function cellOf(value: string | number | null | undefined): string {
  const text = String(value ?? '');
  return `"${FORMULA.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
}
