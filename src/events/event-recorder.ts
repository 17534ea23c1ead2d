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

/** Records the event of a change, in the transaction of the change. */
export class EventRecorder {
  /**
   * Records one change as one event with its deliveries.
   * @param statements statements of the change, to be run as one statement with the event; empty if already run
   * @returns the ids of the destinations that get the event; dispatch their lanes after the commit
   * @throws Problem `event_too_large` when the resource does not fit into an event; do not commit the change
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
   * Records a test of a destination: an event for this destination only.
   * @param destination the representation of the destination
   * @returns the ids of the event and its delivery; dispatch the lane after the commit
   */
  async recordTest(
    trx: Transaction,
    context: RequestContext,
    destination: { readonly id: string } & Change['object'],
  ): Promise<{ readonly eventId: string; readonly deliveryId: number }> {
    const { type } = destinationTestEvent;
    const event = eventOf(context, { type, resourceId: destination.id, object: destination, changes: null });
    const deliveryId = await withSpan(context.trace, ...creation(event), (span) =>
      new EventStore(trx).insertForDestination({ ...event, traceParent: traceParentOf(span) }, destination.id),
    );
    return { eventId: event.id, deliveryId };
  }
}

/**
 * The span that the deliveries of an event link to:
 * https://opentelemetry.io/docs/specs/semconv/messaging/messaging-spans/
 */
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
    const detail = `The event of this change would exceed ${MAX_EVENT_BYTES} bytes of JSON, of which 8 KiB are reserved. Make the resource smaller.`;
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
