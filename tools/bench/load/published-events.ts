import type { LoadWork } from './load.js';

/** Resource type of the published events. */
export const publishedType = { name: 'bench_order', eventType: 'bench_order_created.v0' } as const;

/**
 * Publishes events with `POST /events`, of a resource of its own each, about 500 bytes each.
 * @param batch events of a request
 */
export function publishedEvents(batch: number, connections: number): LoadWork {
  return {
    path: '/events',
    connections,
    status: 202,
    body: (number) =>
      JSON.stringify({ events: Array.from({ length: batch }, (_, index) => event(number * batch + index)) }),
  };
}

function event(number: number) {
  return {
    id: `${number}`,
    type: publishedType.eventType,
    resource_id: `order-${number}`,
    object: {
      id: `order-${number}`,
      status: 'open',
      customer: `customer-${number % 1_000}`,
      lines: Array.from({ length: 5 }, (_, line) => ({ sku: `sku-${line}`, quantity: line + 1, price: 1_250 })),
    },
    principal: { id: 'user-7', subject: 'Ada' },
  };
}
