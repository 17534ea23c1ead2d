import { epochStartedEvent } from '../../../src/events/catalogue/epoch-started-event.js';

/** Number of an event: order is (epoch, sequence). */
export interface EventNumber {
  readonly epoch: number;
  readonly sequence: number;
}

/** What is read from a delivered event. */
export interface DeliveredEvent extends EventNumber {
  readonly event_id: string;
  readonly event_type: string;
  /** Whether a backfill sent it: newer events of its resource may have arrived before. */
  readonly backfill?: true;
  readonly object: { readonly undone?: { readonly after: EventNumber; readonly before: EventNumber } };
}

/** Returns whether number `a` is lower than number `b`. */
export function isLower(a: EventNumber, b: EventNumber): boolean {
  return a.epoch < b.epoch || (a.epoch === b.epoch && a.sequence < b.sequence);
}

/** Whether an event marks the start of an epoch. */
export function isMarker({ event_type: type }: DeliveredEvent): boolean {
  return type === epochStartedEvent.type;
}

/** Separates the arrivals whose numbers the markers among them declare as those of undone events. */
export function separateUndone(arrivals: readonly DeliveredEvent[]): {
  readonly undone: readonly DeliveredEvent[];
  readonly rest: readonly DeliveredEvent[];
} {
  const ranges = arrivals.filter(isMarker).flatMap(({ object }) => (object.undone ? [object.undone] : []));
  const isUndone = (event: DeliveredEvent): boolean =>
    ranges.some(({ after, before }) => isLower(after, event) && isLower(event, before));
  return { undone: arrivals.filter(isUndone), rest: arrivals.filter((event) => !isUndone(event)) };
}

/** Counts the numbers that arrived with two different events. */
export function reusedNumbers(arrivals: readonly DeliveredEvent[]): number {
  const ids = new Map<string, string>();
  const reused = new Set<string>();
  for (const { epoch, sequence, event_id: id } of arrivals) {
    const number = `${epoch}:${sequence}`;
    const known = ids.get(number);
    if (known !== undefined && known !== id) reused.add(number);
    ids.set(number, id);
  }
  return reused.size;
}
