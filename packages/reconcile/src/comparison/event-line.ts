import { textsOfRecord } from './kinesis-record.js';
import { isRow, type EventForm } from './target-form.js';

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
  readonly event: object;
  readonly form: EventForm;
  /** Whether the line is of an export of Waybill, which shows what was delivered, and not what the target holds. */
  readonly isOfWaybill: boolean;
}

/** Epoch of events that were delivered before events had an epoch. */
export const FIRST_EPOCH = 1;

/** Fields that wrap an event: CloudWatch Logs' `message`, the sandbox's `body`, Datadog's `attributes`. */
const wrappers = ['message', 'body', 'attributes'] as const;

/** Limit of nested wrappers: Datadog's `attributes` may hold `attributes` again. */
const MOST_WRAPPERS = 3;

/**
 * Returns the events of one line: an event as it was delivered, the record of an export that wraps it, or a record of
 * Kinesis, which may hold several. An empty line has none.
 * @throws Error if it holds no event of Waybill
 */
export function eventsOfLine(line: string): readonly ExportedEvent[] {
  if (line.trim() === '') return [];
  const record = parsed(line);
  if (record === undefined) throw new Error('is no JSON');
  return kinesisTexts(record)?.map((text) => eventOf(text)) ?? [eventOf(record)];
}

/** @param value an object, or JSON as text */
function eventOf(value: unknown): ExportedEvent {
  const event = eventWithin(value, MOST_WRAPPERS, 'delivered');
  if (event === null) throw new Error('holds no event with an event_id and a sequence');
  return event;
}

/** Returns the events in a record of Kinesis as GetRecords has it, several if it is aggregated; null for another. */
function kinesisTexts(record: unknown): readonly string[] | null {
  if (typeof record !== 'object' || record === null || !('Data' in record) || typeof record.Data !== 'string')
    return null;
  return textsOfRecord(record.Data);
}

function eventWithin(value: unknown, wrappersLeft: number, form: EventForm): ExportedEvent | null {
  // A text is as Waybill sent it, also within attributes.
  if (typeof value === 'string') return eventWithin(parsed(value), wrappersLeft, 'delivered');
  if (typeof value !== 'object' || value === null) return null;
  const record: Readonly<Record<string, unknown>> = { ...value };
  const { event_id: eventId, epoch = FIRST_EPOCH, sequence } = record;
  if (typeof eventId === 'string' && isPositive(sequence) && isPositive(epoch)) {
    const { event, isOfWaybill } = withoutDelivery(record);
    return { eventId, number: { epoch, sequence }, event, form: isRow(record) ? 'row' : form, isOfWaybill };
  }
  if (wrappersLeft === 0) return null;
  for (const name of wrappers) {
    const event = eventWithin(record[name], wrappersLeft - 1, name === 'attributes' ? 'attributes' : form);
    if (event !== null) return event;
  }
  return null;
}

/** Removes the member that an export of Waybill adds to an event. */
function withoutDelivery(record: Readonly<Record<string, unknown>>): { event: object; isOfWaybill: boolean } {
  const { delivery, ...event } = record;
  const isOfWaybill =
    typeof delivery === 'object' && delivery !== null && 'destination_id' in delivery && 'projected' in delivery;
  return isOfWaybill ? { event, isOfWaybill } : { event: record, isOfWaybill };
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

/** Parses JSON; undefined if it is invalid or a string. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? undefined : value;
  } catch {
    return undefined;
  }
}
