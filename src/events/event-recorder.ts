import { SpanKind, type SpanOptions } from '@opentelemetry/api';
import type { RawBuilder } from 'kysely';
import type { Database, Transaction } from '../database/database.js';
import type { RequestContext } from '../http/request-context.js';
import { newId } from '../ids/id.js';
import { Problem } from '../problems/problem.js';
import { traceParentOf, withSpan } from '../tracing/span.js';
import { destinationTestEvent } from './destination-test-event.js';
import { envelope, MAX_EVENT_BYTES, type Change } from './event-envelope.js';
import { EventStore, type StoredEvent } from './event-store.js';

/** Writes the event of a change, in the transaction of the change. */
export class EventRecorder {
  /**
   * Records one change as one event with its deliveries.
   * @param statements what writes the change, where it is not written yet: it is written in one statement with the event
   * @returns the ids of the destinations that get it: to be dispatched once the transaction is committed
   * @throws Problem `event_too_large` when the resource does not fit into an event; the change must not be committed then
   */
  async record(
    db: Database,
    context: RequestContext,
    change: Change,
    statements: readonly RawBuilder<unknown>[] = [],
  ): Promise<readonly string[]> {
    const event = eventOf(context, change);
    return withSpan(context.trace, ...creation(event), (span) => {
      const traced = { ...event, traceParent: traceParentOf(span) };
      return new EventStore(db).insertWithDeliveries(traced, statements);
    });
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
    const deliveryId = await withSpan(context.trace, ...creation(event), (span) =>
      new EventStore(trx).insertForDestination(
        { ...event, traceParent: traceParentOf(span) },
        destination.id,
      ),
    );
    return { eventId: event.id, deliveryId };
  }
}

/** The span that its deliveries refer to: https://opentelemetry.io/docs/specs/semconv/messaging/messaging-spans/ */
function creation({ id, type }: StoredEvent): readonly [name: string, options: SpanOptions] {
  const attributes = {
    'messaging.system': 'waybill',
    'messaging.operation.name': 'create',
    'messaging.operation.type': 'create',
    'messaging.message.id': id,
    'waybill.event.type': type,
  };
  return [`create ${type}`, { kind: SpanKind.PRODUCER, attributes }];
}

function eventOf(context: RequestContext, change: Change): StoredEvent {
  const id = newId('evt');
  const createdAt = new Date();
  const payload = envelope(id, createdAt, context, change);
  if (payload === null) {
    const detail = `The resource would be too large for its event: at most ${MAX_EVENT_BYTES} bytes of JSON, of which 8 KiB are kept free for the rest of it.`;
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
