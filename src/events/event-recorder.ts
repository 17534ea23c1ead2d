import type { Transaction } from '../database/database.js';
import type { RequestContext } from '../http/request-context.js';
import { newId } from '../ids/id.js';
import { Problem } from '../problems/problem.js';
import { destinationTestEvent } from './destination-test-event.js';
import { envelope, maxEventBytes, type Change } from './event-envelope.js';
import { eventStore, type StoredEvent } from './event-store.js';

/** Writes the event of a change, in the transaction of the change. */
export class EventRecorder {
  /**
   * Records one change as one event with its deliveries.
   * @returns the ids of the destinations that get it: to be dispatched once the transaction is committed
   * @throws Problem `event_too_large` when the resource does not fit into an event; the change must not be committed then
   */
  async record(trx: Transaction, context: RequestContext, change: Change): Promise<readonly string[]> {
    return eventStore.insertWithDeliveries(trx, eventOf(context, change));
  }

  /**
   * Records a test of a destination: an event for it alone.
   * @param destination the destination as it is shown
   * @returns the ids of the event and of its delivery: its lane is to be dispatched once the transaction is committed
   */
  async recordTest(
    trx: Transaction,
    context: RequestContext,
    destination: { readonly id: string } & Change['object'],
  ): Promise<{ readonly eventId: string; readonly deliveryId: number }> {
    const { type } = destinationTestEvent;
    const event = eventOf(context, { type, resourceId: destination.id, object: destination, changes: null });
    const deliveryId = await eventStore.insertForDestination(trx, event, destination.id);
    return { eventId: event.id, deliveryId };
  }
}

function eventOf(context: RequestContext, change: Change): StoredEvent {
  const id = newId('evt');
  const createdAt = new Date();
  const payload = envelope(id, createdAt, context, change);
  if (payload === null) {
    const detail = `The resource would be too large for its event: at most ${maxEventBytes} bytes of JSON, of which 8 KiB are kept free for the rest of it.`;
    throw new Problem('too_large', 'event_too_large', detail);
  }
  return {
    id,
    accountId: context.accountId,
    type: change.type,
    resourceId: change.resourceId,
    payload: JSON.stringify(payload),
    createdAt,
  };
}
