import type { EventEnvelope } from '../../envelope/event-envelope.js';
import { isJsonObject, type JsonObject } from '../../envelope/json-object.js';
import type { EventMeasure } from './filter-cost.js';

/**
 * An event as filters read it, with its measure. Objects become maps: the library of CEL takes the type of an object
 * from its member `constructor`.
 */
export class EventReading implements EventMeasure {
  length = 0;
  largest = 0;
  longestText = 0;
  readonly variables: ReadonlyMap<string, unknown>;

  private constructor(event: JsonObject) {
    this.variables = this.membersOf(event);
  }

  /** Returns the reading of an event: the same one for each filter. */
  static of(event: EventEnvelope): EventReading {
    let reading = readings.get(event);
    if (!reading) {
      reading = new EventReading({ ...absent, ...event });
      readings.set(event, reading);
    }
    return reading;
  }

  private read(value: unknown): unknown {
    if (typeof value === 'string') {
      this.length += value.length + 3;
      this.longestText = Math.max(this.longestText, value.length);
      return value;
    }
    this.length += 6;
    if (isJsonObject(value)) {
      const members = this.membersOf(value);
      this.largest = Math.max(this.largest, members.size);
      return members;
    }
    if (!Array.isArray(value)) return value;
    const items: readonly unknown[] = value;
    this.largest = Math.max(this.largest, items.length);
    return items.map((item) => this.read(item));
  }

  private membersOf(object: JsonObject): ReadonlyMap<string, unknown> {
    return new Members(
      Object.entries(object).map(([name, value]) => {
        this.length += name.length + 3;
        return [name, this.read(value)];
      }),
    );
  }
}

/** Members that a published event may lack. A filter asks for them with `has(repaired.by)` or `changes != null`. */
const absent = { occurred_at: null, repaired: null, changes: null };

const none: ReadonlyMap<string, unknown> = new Map();

/**
 * The members of an object: a map that does not show its first entry by `entries`. There the library looks for the type
 * of the members, within each other. It keeps each type for good, and objects have as many as they have shapes.
 */
class Members extends Map<string, unknown> {
  override entries() {
    return none.entries();
  }
}
// The library knows a map by its constructor.
Object.defineProperty(Members.prototype, 'constructor', { value: Map });

const readings = new WeakMap<EventEnvelope, EventReading>();
