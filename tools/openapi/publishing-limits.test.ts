import { describe, expect, it } from 'vitest';
import { eventCatalogue } from '../../src/resources/event-types.js';

const reserved = new RegExp(eventCatalogue.reservedForm);
const words = ['ip', 'policy', 'rule', 'user', 'endpoint', 'created', 'event', 'destination', 'waybill', 'snapshot'];
const eventNames = words.flatMap((a) => words.flatMap((b) => [`${a}_${b}`, ...words.map((c) => `${a}_${b}_${c}`)]));

/** Whether no resource type of an account can have the event name: each of its names or the event is built-in. */
function isImpossible(eventName: string): boolean {
  const parts = eventName.split('_');
  const names = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('_'));
  return eventCatalogue.isReservedEventName(eventName) || names.every((name) => eventCatalogue.isReservedName(name));
}

describe('reservedEventTypeForm', () => {
  it('finds exactly the event types that no resource type of an account can have', () => {
    const found = eventNames.filter((name) => reserved.test(`${name}.v3`));
    expect(found.length).toBeGreaterThan(200);
    expect(found).toEqual(eventNames.filter(isImpossible));
  });

  it('finds no event type with a namespace but those of snapshots and of Waybill', () => {
    const found = eventNames.filter((name) => reserved.test(`shop.${name}.v0`));
    expect(found).toEqual(eventNames.filter((name) => name.endsWith('_snapshot')));
    expect(reserved.test('waybill.order_created.v0')).toBe(true);
  });
});
