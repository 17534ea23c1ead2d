import { isObject } from './canonical-json.js';
import { isRow, type EventForm } from './event-form.js';
import { JsonDocument } from './json-document.js';
import { textsOfRecord } from './kinesis-record.js';
import { LineError } from './line-error.js';

/** The number of an event: order is (epoch, sequence). */
export interface EventNumber {
  readonly epoch: number;
  readonly sequence: number;
}

/** An event in a line of an export. */
export interface ExportedEvent {
  readonly eventId: string;
  readonly number: EventNumber;
  /** Every member that the target holds, without `delivery` of an export of Waybill. */
  readonly event: Readonly<Record<string, unknown>>;
  readonly form: EventForm;
  /** The JSON that holds the event: the line, and each text in it that is JSON of its own. */
  readonly documents: readonly JsonDocument[];
  /** Whether the line is of an export of Waybill, which shows what was delivered, and not what the target holds. */
  readonly isOfWaybill: boolean;
}

/** Epoch of events that were delivered before events had an epoch. */
export const FIRST_EPOCH = 1;

/** Fields that wrap an event: CloudWatch Logs' `message`, the sandbox's `body`, Datadog's `attributes`. */
const wrappers = ['message', 'body', 'attributes'] as const;

/** Limit of nested wrappers: Datadog's `attributes` may hold `attributes` again. */
const MOST_WRAPPERS = 3;

const NO_EVENT = 'holds no event with an event_id and a sequence';

/**
 * Returns the events of one line: an event as it was delivered, the record of an export that wraps it, or a record of
 * Kinesis, which may hold several. An empty line has none.
 * @throws LineError if it holds no event of Waybill
 */
export function eventsOfLine(line: string): readonly ExportedEvent[] {
  if (line.trim() === '') return [];
  const record = parsed(line);
  if (record === undefined) throw new LineError('is no JSON');
  const values = kinesisTexts(record.value) ?? [record.value];
  return values.map((value) => {
    const event = eventWithin(value, [record], MOST_WRAPPERS, 'delivered');
    if (event === null) throw new LineError(NO_EVENT);
    return event;
  });
}

/** Returns whether a line is of an export of Waybill, of an event that has no number yet: it is in no log. */
export function isUnnumbered(line: string): boolean {
  const value = parsed(line)?.value;
  if (!isObject(value) || typeof value.event_id !== 'string' || 'sequence' in value || 'integrity' in value)
    return false;
  return withoutDelivery(value).isOfWaybill;
}

/** Returns the events in a record of Kinesis as GetRecords has it, several if it is aggregated; null for another. */
function kinesisTexts(record: unknown): readonly string[] | null {
  if (!isObject(record) || isOfEvent(record)) return null;
  return typeof record.Data === 'string' ? textsOfRecord(record.Data) : null;
}

/** Returns whether an object has a member of an event. Other readers take it for the event: it wraps no other. */
function isOfEvent(value: Readonly<Record<string, unknown>>): boolean {
  return 'event_id' in value || 'integrity' in value;
}

function eventWithin(
  value: unknown,
  documents: readonly JsonDocument[],
  wrappersLeft: number,
  form: EventForm,
): ExportedEvent | null {
  if (typeof value === 'string') {
    const text = parsed(value);
    // A text is as Waybill sent it, also within attributes.
    return text === undefined ? null : eventWithin(text.value, [...documents, text], wrappersLeft, 'delivered');
  }
  if (!isObject(value)) return null;
  const { event_id: eventId, epoch = FIRST_EPOCH, sequence } = value;
  if (typeof eventId === 'string' && isPositive(sequence) && isPositive(epoch)) {
    const { event, isOfWaybill } = withoutDelivery(value);
    return { eventId, number: { epoch, sequence }, event, form: isRow(value) ? 'row' : form, documents, isOfWaybill };
  }
  if (isOfEvent(value)) throw new LineError(NO_EVENT);
  if (wrappersLeft === 0) return null;
  for (const name of wrappers) {
    const formWithin = name === 'attributes' ? 'attributes' : form;
    const event = eventWithin(value[name], documents, wrappersLeft - 1, formWithin);
    if (event !== null) return event;
  }
  return null;
}

/** Removes the member that an export of Waybill adds to an event. */
function withoutDelivery(record: Readonly<Record<string, unknown>>) {
  const { delivery } = record;
  if (!isObject(delivery) || !('destination_id' in delivery) || !('projected' in delivery))
    return { event: record, isOfWaybill: false };
  const { delivery: _, ...event } = record;
  return { event, isOfWaybill: true };
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

/** Parses JSON; undefined if it is invalid or a string. */
function parsed(text: string): JsonDocument | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? undefined : new JsonDocument(text, value);
  } catch {
    return undefined;
  }
}
