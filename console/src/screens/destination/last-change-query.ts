import { queryOptions } from '@tanstack/react-query';
import { request } from '../../api/request.js';

/** The part of the payload that is shown: the members that were changed, before and after. */
export interface EventDestinationUpdatedV0Payload {
  readonly changes: {
    readonly before: Readonly<Record<string, unknown>>;
    readonly after: Readonly<Record<string, unknown>>;
  };
}

/** The last change of a destination. */
export interface LastChange extends EventDestinationUpdatedV0Payload {
  readonly eventId: string;
  readonly at: string;
  /** Who made it. */
  readonly subject: string;
}

const TYPE = 'event_destination_updated.v0';

/** The last change of a destination; null where it was not changed since its creation, as far as events are kept. */
export function lastChangeQuery(id: string) {
  return queryOptions({
    queryKey: ['last-change', id],
    queryFn: async ({ signal }): Promise<LastChange | null> => {
      const { events } = await request('GET', '/event_destinations/{id}/events', {
        path: { id },
        query: { limit: 1, type: [TYPE] },
        signal,
      });
      const [event] = events;
      if (!event || !('changes' in event.payload) || !event.payload.changes) return null;
      const { before, after } = event.payload.changes;
      return {
        eventId: event.id,
        at: event.created_at,
        subject: event.payload.principal.subject,
        changes: { before: { ...before }, after: { ...after } },
      };
    },
  });
}
