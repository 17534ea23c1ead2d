import type { OutboxEvent } from '@waybill/outbox';
import type { Order } from './order.js';

/** Returns the event of a change of an order. The caller is a setting of the transaction. */
export function orderEvent(action: 'created' | 'updated' | 'cancelled', order: Order): OutboxEvent {
  return { type: `order_${action}.v0`, resourceId: order.id, object: order };
}
