import { z } from 'zod';
import type { DeliveryViewStore } from '../delivery/views/delivery-view-store.js';
import { pageSchema } from '../http/pagination.js';
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
export const eventPageSchema = pageSchema('events', eventSchema).extend({
  events: z.array(eventSchema).meta({ description: 'Newest first, unless `order` says otherwise.' }),
  next_page_uri: z.string().nullable().meta({
    description:
      'Address of the next page; null on the last page. A page that is not full, even an empty one, has it while there is more to search.',
  }),
  complete_since: z.iso.datetime().optional().meta({
    description:
      'Absent as a rule. After an upgrade, events recorded before this time may be missing, because their authors and changes are not indexed yet.',
  }),
});

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
  ) {}

  /** @throws Problem `not_found` */
  async get(context: RequestContext, id: string): Promise<EventResponse> {
    return toEventResponse(await this.find(context, id), context.baseUrl);
  }

  /**
   * Returns the deliveries of one event, newest first.
   * @throws Problem `not_found`
   */
  async deliveries(
    context: RequestContext,
    id: string,
    { limit, beforeId }: { limit: number; beforeId: string | undefined },
  ): Promise<readonly DeliveryResponse[]> {
    const page = { limit, beforeId: deliveryCursor(beforeId) };
    const event = await this.find(context, id);
    const views = await this.views.ofEvent(context.accountId, event.id, page);
    return views.map(toDeliveryResponse);
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
