import { textsOfRecord } from './kinesis-record.js';

/** Id and number of an exported event. */
interface ExportedEvent {
  readonly eventId: string;
  readonly number: EventNumber;
}

/** The number of an event: order is (epoch, sequence). */
export interface EventNumber {
  readonly epoch: number;
  readonly sequence: number;
}

/** Epoch of events that were delivered before events had an epoch. */
const FIRST_EPOCH = 1;

/** Fields that wrap an event: CloudWatch Logs' `message`, the sandbox's `body`, Datadog's `attributes`. */
const wrappers = ['message', 'body', 'attributes'] as const;

/** Limit of nested wrappers: Datadog's `attributes` may hold `attributes` again. */
const MOST_WRAPPERS = 3;

/**
 * Events of an export, added line by line. A line is an event as it was delivered, or the record of an export that
 * wraps it, or a record of Kinesis, which may hold several. A million events need about 150 MB.
 */
export class ExportedEvents {
  /** Ids by sequence, for each epoch. */
  private readonly epochs = new Map<number, Map<number, string>>();
  private readonly conflicts: string[] = [];
  private lineCount = 0;
  private repeatCount = 0;
  private count = 0;
  private highestNumber: EventNumber = { epoch: 0, sequence: 0 };
  private outOfOrderCount = 0;

  /**
   * Adds the events of one line; an empty one is ignored.
   * @throws Error if it holds no event of Waybill
   */
  add(line: string): void {
    if (line.trim() === '') return;
    for (const event of eventsOf(line)) this.addEvent(event);
  }

  private addEvent({ eventId, number }: ExportedEvent): void {
    const { epoch, sequence } = number;
    this.lineCount += 1;
    const ids = this.epochs.get(epoch) ?? new Map<number, string>();
    this.epochs.set(epoch, ids);
    const known = ids.get(sequence);
    if (known === eventId) {
      this.repeatCount += 1;
      return;
    }
    if (known !== undefined) {
      const of = epoch === FIRST_EPOCH ? '' : ` of epoch ${epoch}`;
      this.conflicts.push(`Number ${sequence}${of} is held by ${known} and by ${eventId}.`);
      return;
    }
    ids.set(sequence, eventId);
    this.count += 1;
    if (isLower(number, this.highestNumber)) this.outOfOrderCount += 1;
    else this.highestNumber = number;
  }

  /** Checks whether the export holds this number. */
  has(number: EventNumber): boolean {
    return this.idOf(number) !== undefined;
  }

  /** Returns the id of the event with this number, or undefined. */
  idOf({ epoch, sequence }: EventNumber): string | undefined {
    return this.epochs.get(epoch)?.get(sequence);
  }

  /** Returns the numbers of the export that meet a condition, in order. */
  numbers(condition: (number: EventNumber) => boolean): readonly EventNumber[] {
    return [...this.epochs]
      .flatMap(([epoch, ids]) => Array.from(ids.keys(), (sequence) => ({ epoch, sequence })).filter(condition))
      .toSorted((a, b) => (isLower(a, b) ? -1 : 1));
  }

  /** Numbers of two different events: the lines are of more than one destination. */
  get contradictions(): readonly string[] {
    return this.conflicts;
  }

  /** Number of different events. */
  get events(): number {
    return this.count;
  }

  /** Number of events, including repeats. */
  get lines(): number {
    return this.lineCount;
  }

  /** Number of repeated events. */
  get repeats(): number {
    return this.repeatCount;
  }

  /** Number of first arrivals after a higher number. */
  get outOfOrder(): number {
    return this.outOfOrderCount;
  }
}

/** Returns whether number `a` is lower than number `b`. */
export function isLower(a: EventNumber, b: EventNumber): boolean {
  return a.epoch < b.epoch || (a.epoch === b.epoch && a.sequence < b.sequence);
}

function eventsOf(line: string): readonly ExportedEvent[] {
  const record = parsed(line);
  if (record === undefined) throw new Error('is no JSON');
  return kinesisTexts(record)?.map((text) => eventOf(text)) ?? [eventOf(record)];
}

/** @param value an object, or JSON as text */
function eventOf(value: unknown): ExportedEvent {
  const event = eventWithin(value, MOST_WRAPPERS);
  if (event === null) throw new Error('holds no event with an event_id and a sequence');
  return event;
}

/** Returns the events in a record of Kinesis as GetRecords has it, several if it is aggregated; null for another. */
function kinesisTexts(record: unknown): readonly string[] | null {
  if (typeof record !== 'object' || record === null || !('Data' in record) || typeof record.Data !== 'string')
    return null;
  return textsOfRecord(record.Data);
}

function eventWithin(value: unknown, wrappersLeft: number): ExportedEvent | null {
  if (typeof value === 'string') return eventWithin(parsed(value), wrappersLeft);
  if (typeof value !== 'object' || value === null) return null;
  const record: Readonly<Record<string, unknown>> = { ...value };
  const { event_id: eventId, epoch = FIRST_EPOCH, sequence } = record;
  if (typeof eventId === 'string' && isPositive(sequence) && isPositive(epoch))
    return { eventId, number: { epoch, sequence } };
  if (wrappersLeft === 0) return null;
  for (const name of wrappers) {
    const event = eventWithin(record[name], wrappersLeft - 1);
    if (event !== null) return event;
  }
  return null;
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
