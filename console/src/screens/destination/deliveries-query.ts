import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { cursorOf } from '../../api/cursor.js';
import { request } from '../../api/request.js';
import type { DeliveryFilters } from './search.js';

/** Deliveries of a page. */
const PAGE = 100;

/** Time between reads, in milliseconds. Further pages end it: reading them again would cost more with each. */
const REFRESH_MS = 5_000;

/** The deliveries of a destination, newest first, page by page. */
export function deliveriesQuery(id: string, filters: DeliveryFilters) {
  return infiniteQueryOptions({
    queryKey: ['deliveries', id, filters],
    queryFn: ({ pageParam, signal }) =>
      request('GET', '/event_destinations/{id}/deliveries', {
        path: { id },
        query: { limit: PAGE, ...queryOf(filters), ...(pageParam !== '' && { before_id: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    // The table stays while other filters are read, and the focus in it.
    placeholderData: keepPreviousData,
    getNextPageParam: (page) => cursorOf(page.next_page_uri),
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.pages.length > 1 ? false : REFRESH_MS),
  });
}

/** Returns the filters as the API takes them. */
function queryOf({ type, sequence_from: from, sequence_to: to, ...texts }: DeliveryFilters) {
  return {
    ...texts,
    ...(type !== undefined && { type: [type] }),
    ...(from !== undefined && { sequence_from: Number(from) }),
    ...(to !== undefined && { sequence_to: Number(to) }),
  };
}
