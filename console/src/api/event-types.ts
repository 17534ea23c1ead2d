import { queryOptions } from '@tanstack/react-query';
import type { EventType } from '@waybill/client';
import { pagesOf } from './pages.js';
import { request } from './request.js';

/** Time for which the types are taken as known, in milliseconds: a resource type may be registered. */
const STALE_MS = 60_000;

/** The event types of the account, built in and registered. */
export const eventTypesQuery = queryOptions({
  queryKey: ['event-types'],
  queryFn: async ({ signal }) => {
    const all: EventType[] = [];
    const read = (after?: string) => request('GET', '/event_types', { query: { after_id: after }, signal });
    for await (const page of pagesOf(read)) all.push(...page.event_types);
    return all;
  },
  staleTime: STALE_MS,
});

/** One event type, with the schema of its events. */
export function eventTypeQuery(type: string) {
  return queryOptions({
    queryKey: ['event-type', type],
    queryFn: ({ signal }) => request('GET', '/event_types/{type}', { path: { type }, signal }),
    staleTime: STALE_MS,
  });
}
