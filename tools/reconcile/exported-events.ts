/** Id and sequence of an exported event. */
interface ExportedEvent {
  readonly eventId: string;
  readonly sequence: number;
}

/** Fields that wrap an event: CloudWatch Logs' `message`, the sandbox's `body`, Datadog's `attributes`. */
const wrappers = ['message', 'body', 'attributes'] as const;

/** Limit of nested wrappers: Datadog's `attributes` may hold `attributes` again. */
const MOST_WRAPPERS = 3;

/**
 * Events of an export, added line by line. A line is an event as it was delivered, or the record of an export that
 * wraps it. A million events need about 150 MB.
 */
export class ExportedEvents {
  private readonly ids = new Map<number, string>();
  private readonly conflicts: string[] = [];
  private lineCount = 0;
  private repeatCount = 0;
  private highestSequence = 0;
  private outOfOrderCount = 0;

  /**
   * Adds one line; an empty one is ignored.
   * @throws Error if it holds no event of Waybill
   */
  add(line: string): void {
    if (line.trim() === '') return;
    const { eventId, sequence } = eventOf(line);
    this.lineCount += 1;
    const known = this.ids.get(sequence);
    if (known === eventId) {
      this.repeatCount += 1;
      return;
    }
    if (known !== undefined) {
      this.conflicts.push(`Number ${sequence} is held by ${known} and by ${eventId}.`);
      return;
    }
    this.ids.set(sequence, eventId);
    if (sequence < this.highestSequence) this.outOfOrderCount += 1;
    this.highestSequence = Math.max(this.highestSequence, sequence);
  }

  /** Checks whether the export holds this sequence. */
  has(sequence: number): boolean {
    return this.ids.has(sequence);
  }

  /** Returns the id of the event with this sequence, or undefined. */
  idOf(sequence: number): string | undefined {
    return this.ids.get(sequence);
  }

  /** Sequences of two different events: the lines are of more than one destination. */
  get contradictions(): readonly string[] {
    return this.conflicts;
  }

  /** Number of different events. */
  get events(): number {
    return this.ids.size;
  }

  /** Number of events, including repeats. */
  get lines(): number {
    return this.lineCount;
  }

  /** Number of repeated events. */
  get repeats(): number {
    return this.repeatCount;
  }

  /** Number of first arrivals after a higher sequence. */
  get outOfOrder(): number {
    return this.outOfOrderCount;
  }

  /** Highest sequence, or 0. */
  get highest(): number {
    return this.highestSequence;
  }
}

function eventOf(line: string): ExportedEvent {
  const record = parsed(line);
  if (record === undefined) throw new Error('is no JSON');
  const event = eventWithin(record, MOST_WRAPPERS);
  if (event === null) throw new Error('holds no event with an event_id and a sequence');
  return event;
}

function eventWithin(value: unknown, wrappersLeft: number): ExportedEvent | null {
  if (typeof value === 'string') return eventWithin(parsed(value), wrappersLeft);
  if (typeof value !== 'object' || value === null) return null;
  const record: Readonly<Record<string, unknown>> = { ...value };
  const { event_id: eventId, sequence } = record;
  if (typeof eventId === 'string' && isSequence(sequence)) return { eventId, sequence };
  if (wrappersLeft === 0) return null;
  for (const name of wrappers) {
    const event = eventWithin(record[name], wrappersLeft - 1);
    if (event !== null) return event;
  }
  return null;
}

function isSequence(value: unknown): value is number {
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
