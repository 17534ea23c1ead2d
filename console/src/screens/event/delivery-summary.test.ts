import type { Delivery } from '@waybill/client';
import { expect, it } from 'vitest';
import { byUrgency, inShownOrder, summaryOf } from './delivery-summary.js';

function delivery(id: string, state: Delivery['state'], seconds: number | null): Delivery {
  const finished = seconds === null ? null : new Date(seconds * 1_000).toISOString();
  return { id, state, created_at: new Date(0).toISOString(), finished_at: finished } as unknown as Delivery;
}

const all = [delivery('a', 'delivered', 1), delivery('b', 'delivered', 90), delivery('c', 'pending', null)];

it('has failed deliveries first, then waiting ones, then the slowest ones', () => {
  const sorted = byUrgency([...all, delivery('d', 'rejected', 5)]);
  expect(sorted.map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a']);
});

it('keeps the order that is shown when states change, and adds more deliveries after it by urgency', () => {
  const idsOf = (deliveries: readonly Delivery[]): readonly string[] => deliveries.map(({ id }) => id);
  const first = idsOf(inShownOrder(all, []));
  expect(first).toEqual(['c', 'b', 'a']);
  const later = [delivery('a', 'rejected', 1), delivery('b', 'delivered', 90), delivery('c', 'delivered', 2)];
  expect(idsOf(inShownOrder(later, first))).toEqual(first);
  const more = [...later, delivery('e', 'delivered', 1), delivery('d', 'rejected', 5)];
  expect(idsOf(inShownOrder(more, first))).toEqual([...first, 'd', 'e']);
});

it('counts the states, and has the slowest delivery', () => {
  expect(summaryOf(all)).toBe('1 waiting, 2 delivered, slowest delivered after 1 min 30 s');
  expect(summaryOf(all.slice(2))).toBe('1 waiting');
});
