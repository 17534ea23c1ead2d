/** An event that is held at the far end, as far as its number goes. */
interface HeldEvent {
  readonly eventId: string;
  readonly sequence: number;
}

/** Members that exports wrap an event in: CloudWatch Logs' `message`, the `body` of Waybill's sandbox, Datadog's `attributes`. */
const wrappers = ['message', 'body', 'attributes'] as const;

/** Wrappers that are looked into, one in another: Datadog's `attributes` may hold `attributes` again. */
const MOST_WRAPPERS = 3;

/**
 * What a destination's far end holds, told line by line: each line is one event as it was delivered, or an export's record of it.
 * Keeps a number and a short id for each event, so a million of them take some 150 MB.
 */
export class FarEnd {
  private readonly ids = new Map<number, string>();
  private readonly contradictoryLines: string[] = [];
  private lineCount = 0;
  private repeatCount = 0;
  private highestSequence = 0;
  private outOfOrderCount = 0;

  /**
   * Takes one line; an empty one says nothing.
   * @throws Error when it holds no event of Waybill
   */
  add(line: string): void {
    if (line.trim() === '') return;
    const { eventId, sequence } = heldEvent(line);
    this.lineCount += 1;
    const known = this.ids.get(sequence);
    if (known === eventId) {
      this.repeatCount += 1;
      return;
    }
    if (known !== undefined) {
      this.contradictoryLines.push(`Number ${sequence} is held by ${known} and by ${eventId}.`);
      return;
    }
    this.ids.set(sequence, eventId);
    if (sequence < this.highestSequence) this.outOfOrderCount += 1;
    this.highestSequence = Math.max(this.highestSequence, sequence);
  }

  /** Whether an event with this number is there. */
  has(sequence: number): boolean {
    return this.ids.has(sequence);
  }

  /** The id of the event with this number, undefined where there is none. */
  idOf(sequence: number): string | undefined {
    return this.ids.get(sequence);
  }

  /** Numbers that two different events claim: the lines are of more than one destination. */
  get contradictions(): readonly string[] {
    return this.contradictoryLines;
  }

  /** Different events. */
  get events(): number {
    return this.ids.size;
  }

  /** Events, repeats included. */
  get lines(): number {
    return this.lineCount;
  }

  /** Arrivals of an event that had arrived before. */
  get repeats(): number {
    return this.repeatCount;
  }

  /** First arrivals whose number is lower than one before them. */
  get outOfOrder(): number {
    return this.outOfOrderCount;
  }

  /** The highest number that is there, 0 without any. */
  get highest(): number {
    return this.highestSequence;
  }
}

function heldEvent(line: string): HeldEvent {
  const record = parsed(line);
  if (record === undefined) throw new Error('is no JSON');
  const event = eventWithin(record, MOST_WRAPPERS);
  if (event === null) throw new Error('holds no event with an event_id and a sequence');
  return event;
}

function eventWithin(value: unknown, wrappersLeft: number): HeldEvent | null {
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

/** The value, or undefined where the text is no JSON; a text that is one in a text is no event either. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? undefined : value;
  } catch {
    return undefined;
  }
}
