import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { paged } from './pages.js';
import { request } from './request.js';

/** Deliveries of a page, the most that the API has. */
const PAGE = 100;

/** Time between reads, in milliseconds. Further pages end it: reading them again would cost more with each. */
const REFRESH_MS = 10_000;

/** Time between counts, in milliseconds. */
const COUNT_MS = 60_000;

/** States of deliveries that ended without being delivered. */
export const undeliveredStates = ['rejected', 'expired'] as const;
/** A state of a delivery that ended without being delivered. */
export type UndeliveredState = (typeof undeliveredStates)[number];

/** Filters of the list, as they are in an address. */
export interface UndeliveredFilter {
  readonly state?: UndeliveredState | undefined;
  readonly destination_id?: string | undefined;
}

/** First part of the keys of everything that is read of this list. */
export const UNDELIVERED_KEY = 'undelivered';

/** The deliveries that ended without being delivered, to any destination, newest first, page by page. */
export function undeliveredQuery({ state, destination_id: id }: UndeliveredFilter) {
  return infiniteQueryOptions({
    queryKey: [UNDELIVERED_KEY, 'list', state, id],
    queryFn: ({ pageParam, signal }) => readPage({ state, destination_id: id }, pageParam, signal),
    ...paged,
    refetchInterval: ({ state: read }) => (read.data !== undefined && read.data.pages.length > 1 ? false : REFRESH_MS),
  });
}

/** How many deliveries ended without being delivered: those of one page, and whether there are more. */
export const undeliveredCountQuery = queryOptions({
  queryKey: [UNDELIVERED_KEY, 'count'],
  queryFn: async ({ signal }) => {
    const { deliveries, next_page_uri: next } = await readPage({}, undefined, signal);
    return { value: deliveries.length, atLeast: next !== null };
  },
  staleTime: COUNT_MS,
  refetchInterval: COUNT_MS,
});

function readPage({ state, destination_id: id }: UndeliveredFilter, before: string | undefined, signal: AbortSignal) {
  return request('GET', '/event_destinations/deliveries', {
    query: { limit: PAGE, state, destination_id: id === undefined ? undefined : [id], before_id: before },
    signal,
  });
}
