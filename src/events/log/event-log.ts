import { z } from 'zod';
import type { RequestContext } from '../../http/request/request-context.js';
import { JsonItem, searchPageSchema } from '../../http/response/pagination.js';
import { notFound } from '../../problems/problem.js';
import type { EventEnvelope } from '../envelope/event-envelope.js';
import type { StoredEvent } from '../envelope/stored-event.js';
import type { EventStore } from '../fan-out/event-store.js';

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
  constructor(private readonly events: Pick<EventStore, 'find'>) {}

  /** @throws Problem `not_found` */
  async get({ accountId, baseUrl }: RequestContext, id: string): Promise<EventResponse> {
    const event = await this.events.find(accountId, id);
    if (!event) throw notFound('event', id);
    return toEventResponse(event, baseUrl);
  }
}

/** Returns the response of an event. */
function toEventResponse(event: StoredEvent, baseUrl: string): EventResponse {
  const payload: EventEnvelope = JSON.parse(event.payload);
  return { ...membersOf(event, baseUrl), payload };
}

/** Returns an event as an item of a page: its payload is JSON already. */
export function toEventItem(event: StoredEvent, baseUrl: string): JsonItem {
  const members = JSON.stringify(membersOf(event, baseUrl));
  return new JsonItem(event.id, `${members.slice(0, -1)},"payload":${event.payload}}`);
}

function membersOf({ id, createdAt, type, resourceId }: StoredEvent, baseUrl: string): Omit<EventResponse, 'payload'> {
  return {
    id,
    uri: `${baseUrl}/events/${id}`,
    created_at: createdAt.toISOString(),
    type,
    resource_id: resourceId,
  };
}
