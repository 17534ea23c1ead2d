import { queryOptions } from '@tanstack/react-query';
import { request } from './request.js';

/** Time for which the types are taken as known, in milliseconds: a resource type may be registered. */
const STALE_MS = 60_000;

/** The event types of the account, built in and registered. */
export const eventTypesQuery = queryOptions({
  queryKey: ['event-types'],
  queryFn: async ({ signal }) => (await request('GET', '/event_types', { signal })).event_types,
  staleTime: STALE_MS,
});
