import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Delivery } from '@waybill/client';
import { request } from './request.js';

/** Deliveries of a page. */
const PAGE = 100;

/** Time between reads while a delivery is not finished, in milliseconds. */
const POLL_MS = 3_000;

/** States that change by themselves. */
export function isOpen({ state }: Pick<Delivery, 'state'>): boolean {
  return state === 'pending' || state === 'in_flight';
}

/** The deliveries of an event, one for each destination, read again while one of them is not finished. */
export function eventDeliveriesQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['event-deliveries', id],
    queryFn: ({ pageParam, signal }) =>
      request('GET', '/events/{id}/deliveries', { path: { id }, query: { limit: PAGE, before_id: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ deliveries, next_page_uri: next }) => (next === null ? undefined : deliveries.at(-1)?.id),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ deliveries }) => deliveries.some(isOpen)) === true && POLL_MS,
  });
}
