import { z } from 'zod';
import type { DeliveryViewStore } from '../delivery/views/delivery-view-store.js';
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
    payload: z.looseObject({}).meta({
      description: 'The delivered payload without `sequence`, which each destination numbers by itself.',
    }),
  })
  .meta({ id: 'Event' });

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

  /** Returns a page of events, newest first. */
  async list(
    context: RequestContext,
    page: { limit: number; beforeId: string | undefined; type: string | undefined },
  ): Promise<readonly EventResponse[]> {
    const events = await this.events.page(context.accountId, page);
    return events.map((event) => toEventResponse(event, context.baseUrl));
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

function toEventResponse(event: StoredEvent, baseUrl: string): EventResponse {
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
