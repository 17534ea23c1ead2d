import { z } from 'zod';
import { JsonItem, searchPageSchema } from '../../http/response/pagination.js';
import type { ReadEvent } from '../envelope/stored-event.js';

/** An event in a response. */
export const eventSchema = z
  .object({
    id: z.string().meta({ description: 'The `event_id` of the payload.' }),
    uri: z.string(),
    created_at: z.iso.datetime(),
    type: z.string(),
    resource_id: z.string().meta({ description: 'The resource that changed. Empty for an event that was erased.' }),
    // `payloadComponents` has the schema.
    payload: z.looseObject({}).meta({ id: 'EventPayload' }).nullable().meta({ description: 'Null: it was erased.' }),
    erasure_id: z.string().optional().meta({
      description: 'The erasure that has removed the payload and what is searched. Absent from every other event.',
    }),
  })
  .meta({ id: 'Event' });

/** A page of a search of events. */
export const eventPageSchema = searchPageSchema('events', eventSchema).meta({
  id: 'EventList',
  description: 'A page of a search of events.',
});

export type EventResponse = z.infer<typeof eventSchema>;

/** Returns the response of an event. */
export function toEventResponse(event: ReadEvent, baseUrl: string): EventResponse {
  const payload: EventResponse['payload'] = JSON.parse(payloadOf(event));
  return { ...membersOf(event, baseUrl), payload };
}

/** Returns an event as an item of a page: its payload is JSON already. */
export function toEventItem(event: ReadEvent, baseUrl: string): JsonItem {
  const members = JSON.stringify(membersOf(event, baseUrl));
  return new JsonItem(event.id, `${members.slice(0, -1)},"payload":${payloadOf(event)}}`);
}

/** Returns the payload as JSON. */
function payloadOf({ payload, erasureId }: ReadEvent): string {
  return erasureId === null ? payload : 'null';
}

function membersOf(event: ReadEvent, baseUrl: string): Omit<EventResponse, 'payload'> {
  const { id, createdAt, type, resourceId, erasureId } = event;
  return {
    id,
    uri: `${baseUrl}/events/${id}`,
    created_at: createdAt.toISOString(),
    type,
    resource_id: resourceId,
    ...(erasureId !== null && { erasure_id: erasureId }),
  };
}
