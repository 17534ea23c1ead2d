import { assert } from 'vitest';
import type { BatchDelivery } from '../../../../src/delivery/lanes/batch-store.js';
import type { DeliveryRow } from '../seed.js';

/** A committed change of a resource. */
export interface Change {
  readonly event: string;
  readonly resource: string;
}

/** What a destination received. It checks each arrival at once, and the order and the numbers at the end of a run. */
export class Consumer {
  private readonly numbers = new Map<string, number>();
  private readonly events = new Map<number, string>();
  /** The events in the order of their first arrivals. */
  private readonly firstArrivals: string[] = [];
  /** The events that had not arrived when some redelivery was requested. */
  private readonly missedOnce = new Set<string>();
  /** The events whose records the vendor refused for good, once. */
  private readonly refused = new Set<string>();

  /** Takes one record. One number belongs to one delivery for ever, and a delivery to one number. */
  receive({ event: { id, sequence } }: BatchDelivery): void {
    assert.strictEqual(this.events.get(sequence) ?? id, id, `number ${sequence} belongs to one event`);
    assert.strictEqual(this.numbers.get(id) ?? sequence, sequence, `${id} has one number`);
    if (!this.numbers.has(id)) this.firstArrivals.push(id);
    this.numbers.set(id, sequence);
    this.events.set(sequence, id);
  }

  /**
   * Notes that the vendor refused a record for good. Where that is not recorded, the record is sent again, and this
   * vendor may take it then: behind later records of the same calls.
   */
  refuse({ event }: BatchDelivery): void {
    this.refused.add(event.id);
  }

  hasReceived(event: string): boolean {
    return this.numbers.has(event);
  }

  /** Notes which events have not arrived when a redelivery is requested: their order is not promised any more. */
  redeliveryRequested(changes: readonly Change[]): void {
    for (const { event } of changes) if (!this.hasReceived(event)) this.missedOnce.add(event);
  }

  /**
   * Checks the end of a run: each committed delivery is finished and has arrived, the numbers have no gap, and the
   * first arrivals of each resource are in order.
   * @param changes the committed changes, those of a resource in their order
   * @param redelivered the events that were redelivered
   */
  expectComplete(rows: readonly DeliveryRow[], changes: readonly Change[], redelivered: ReadonlySet<string>): void {
    assert.deepEqual(
      rows.map(({ event_id }) => event_id).toSorted(),
      changes.map(({ event }) => event).toSorted(),
      'each committed change has a delivery',
    );
    assert.deepEqual(
      rows.filter(({ state }) => state !== 'delivered'),
      [],
      'every delivery is delivered at the end',
    );
    const numbers = rows.map(({ sequence }) => sequence).toSorted((a, b) => Number(a) - Number(b));
    assert.deepEqual(
      numbers,
      rows.map((_, index) => index + 1),
      'numbers from 1 without a gap',
    );
    for (const { event_id, sequence } of rows) {
      assert.strictEqual(this.numbers.get(event_id), sequence, `${event_id} arrived with its number`);
    }
    const positions = new Map(this.firstArrivals.map((event, position) => [event, position]));
    const isExempt = (event: string): boolean =>
      this.refused.has(event) || (this.missedOnce.has(event) && redelivered.has(event));
    for (const resource of new Set(changes.map((change) => change.resource))) {
      const arrived = changes
        .filter((change) => change.resource === resource && !isExempt(change.event))
        .map(({ event }) => positions.get(event) ?? -1);
      assert.deepEqual(
        arrived,
        arrived.toSorted((a, b) => a - b),
        `the first arrivals of ${resource} are in order`,
      );
    }
  }
}
