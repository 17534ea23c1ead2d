import { z } from 'zod';
import { completeSince } from '../database/complete-since.js';
import type { RetentionMarks } from '../database/retention-marks.js';
import type { DeliveryViewStore } from '../delivery/views/delivery-view-store.js';
import { searchPageSchema } from '../http/pagination.js';
import type { RequestContext } from '../http/request-context.js';
import { notFound } from '../problems/problem.js';
import { deliveryCursor, toDeliveryResponse, type DeliveryResponse } from './delivery-response.js';
import type { EventEnvelope } from './event-envelope.js';
import type { EventStore } from './event-store.js';
import type { StoredEvent } from './stored-event.js';

/** An event in a response. */
export const eventSchema = z
  .object({
    id: z.string().meta({ description: 'The `event_id` of the payload.' }),
    uri: z.string(),
    created_at: z.iso.datetime(),
    type: z.string(),
    resource_id: z.string().meta({ description: 'The resource that changed.' }),
    // `payloadComponents` has the schema.
    payload: z.looseObject({}).meta({ id: 'EventPayload' }),
  })
  .meta({ id: 'Event' });

/** A page of a search of events. */
export const eventPageSchema = searchPageSchema('events', eventSchema);

/** An event in a response. */
export interface EventResponse {
  readonly id: string;
  readonly uri: string;
  readonly created_at: string;
  readonly type: string;
  readonly resource_id: string;
  readonly payload: EventEnvelope;
}

/** Reads the account's events. */
export class EventLog {
  constructor(
    private readonly events: EventStore,
    private readonly views: DeliveryViewStore,
    private readonly marks: RetentionMarks,
  ) {}

  /** @throws Problem `not_found` */
  async get(context: RequestContext, id: string): Promise<EventResponse> {
    return toEventResponse(await this.find(context, id), context.baseUrl);
  }

  /**
   * Returns the deliveries of one event, newest first, and since when deliveries are complete; null when those of the
   * event are.
   * @throws Problem `not_found`
   */
  async deliveries(
    context: RequestContext,
    id: string,
    { limit, beforeId }: { limit: number; beforeId: string | undefined },
  ): Promise<{ readonly items: readonly DeliveryResponse[]; readonly completeSince: Date | null }> {
    const page = { limit, beforeId: deliveryCursor(beforeId) };
    const event = await this.find(context, id);
    const views = await this.views.ofEvent(context.accountId, event.id, page);
    const since = await this.marks.completeSince(context.accountId, 'deliveries');
    return {
      items: views.map(toDeliveryResponse),
      completeSince: completeSince(event.createdAt, [since]),
    };
  }

  private async find({ accountId }: RequestContext, id: string): Promise<StoredEvent> {
    const event = await this.events.find(accountId, id);
    if (!event) throw notFound('event', id);
    return event;
  }
}

/** Returns the response of an event. */
export function toEventResponse(event: StoredEvent, baseUrl: string): EventResponse {
  const payload: EventEnvelope = JSON.parse(event.payload);
  return {
    id: event.id,
    uri: `${baseUrl}/events/${event.id}`,
    created_at: event.createdAt.toISOString(),
    type: event.type,
    resource_id: event.resourceId,
    payload,
  };
}
