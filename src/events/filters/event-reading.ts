import type { EventEnvelope } from '../event-envelope.js';
import { isJsonObject, type JsonObject } from '../json-object.js';
import type { EventMeasure } from './filter-cost.js';

/**
 * An event as filters read it, with its measure. Objects become maps: the library of CEL takes the type of an object
 * from its member `constructor`, and lists all members of an object to get the first one.
 */
export class EventReading implements EventMeasure {
  length = 0;
  largest = 0;
  readonly variables: ReadonlyMap<string, unknown>;

  private constructor(event: JsonObject) {
    this.variables = this.mapOf(event);
  }

  /** Returns the reading of an event: the same one for each filter. */
  static of(event: EventEnvelope): EventReading {
    let reading = readings.get(event);
    if (!reading) {
      reading = new EventReading({ ...event });
      readings.set(event, reading);
    }
    return reading;
  }

  private read(value: unknown): unknown {
    this.length += typeof value === 'string' ? value.length + 3 : 6;
    if (isJsonObject(value)) return this.mapOf(value);
    if (!Array.isArray(value)) return value;
    const items: readonly unknown[] = value;
    this.largest = Math.max(this.largest, items.length);
    return items.map((item) => this.read(item));
  }

  private mapOf(object: JsonObject): ReadonlyMap<string, unknown> {
    const entries = Object.entries(object).map(([name, value]) => {
      this.length += name.length + 3;
      return [name, this.read(value)] as const;
    });
    this.largest = Math.max(this.largest, entries.length);
    return new Map(entries);
  }
}

const readings = new WeakMap<EventEnvelope, EventReading>();
