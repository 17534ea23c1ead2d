import type { ReceivedEvent } from '@waybill/sandbox';
import { expect, test } from 'vitest';
import type { CommittedChange } from './audit.js';
import { countExample } from './count.js';

const created: CommittedChange = {
  table: 'orders',
  operation: 'INSERT',
  row: {
    id: 'o1',
    status: 'open',
    lines: [{ sku: 'a', quantity: 1 }],
    revision: 1,
    created_at: '2026-01-01T00:00:00+00:00',
  },
};
const updated: CommittedChange = {
  ...created,
  operation: 'UPDATE',
  row: { ...created.row, status: 'paid', revision: 2 },
};
const cancelled: CommittedChange = {
  ...created,
  operation: 'UPDATE',
  row: { ...created.row, id: 'o2', status: 'cancelled', revision: 2 },
};
const customer: CommittedChange = {
  table: 'customers',
  operation: 'DELETE',
  row: { id: 'c1', name: 'Ada', email: 'ada@customers.example', revision: 4 },
};
const committed = [created, updated, cancelled, customer];

/** Returns the arrival of an event. The members of its object are in another order than those of the row. */
function arrival(type: string, object: Readonly<Record<string, unknown>>, sequence: number): ReceivedEvent {
  const reversed = Object.fromEntries(Object.entries(object).toReversed());
  return {
    position: sequence,
    target: 'log_group',
    address: 'a',
    body: JSON.stringify({
      event_id: `evt_${sequence}`,
      event_type: type,
      resource_id: object.id,
      sequence,
      object: reversed,
    }),
    receivedAtMs: 0,
  };
}

const arrivals = [
  arrival('order_created.v0', { ...created.row, created_at: '2026-01-01T00:00:00.000Z' }, 1),
  arrival('order_updated.v0', updated.row, 2),
  arrival('order_cancelled.v0', cancelled.row, 3),
  arrival('customer_deleted.v0', { ...customer.row, email: null }, 4),
] as const;
const complete = {
  delivered: 4,
  lost: 0,
  phantoms: 0,
  duplicates: 0,
  order_violations: 0,
  sequence_gaps: 0,
  leaks: 0,
};

test('counts a complete delivery, whatever the order of members and the form of times', () => {
  expect(countExample(committed, arrivals, ['@customers.example'])).toEqual(complete);
});

test('counts a lost event and the gap of its number', () => {
  const received = arrivals.toSpliced(1, 1);
  expect(countExample(committed, received)).toEqual({ ...complete, delivered: 3, lost: 1, sequence_gaps: 1 });
});

test('counts an event that nothing committed, and one with another content, as phantoms', () => {
  const rolledBack = arrival('order_created.v0', { ...created.row, id: 'o9' }, 5);
  const repeatedUnderAnotherId = arrival('order_updated.v0', updated.row, 6);
  expect(countExample(committed, [...arrivals, rolledBack, repeatedUnderAnotherId])).toEqual({
    ...complete,
    phantoms: 2,
  });
});

test('counts no signed checkpoint of the log as a phantom', () => {
  const checkpoint = arrival('event_destination_checkpoint_signed.v0', created.row, 5);
  expect(countExample(committed, [...arrivals, checkpoint])).toEqual(complete);
});

test('counts a repeated arrival as a duplicate, and not as a violation of the order', () => {
  expect(countExample(committed, [...arrivals, arrivals[0]])).toEqual({ ...complete, duplicates: 1 });
});

test('counts a violation of the order of one resource, and none between resources', () => {
  const [first, second, third, fourth] = arrivals;
  expect(countExample(committed, [second, first, third, fourth])).toEqual({ ...complete, order_violations: 1 });
  expect(countExample(committed, [fourth, third, first, second])).toEqual(complete);
});

test('counts an event with a text that must not leave the database', () => {
  const leak = arrival('customer_deleted.v0', customer.row, 4);
  expect(countExample(committed, arrivals.with(3, leak), ['@customers.example'])).toEqual({ ...complete, leaks: 1 });
});
