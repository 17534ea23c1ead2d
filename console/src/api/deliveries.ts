import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Delivery } from '@waybill/client';
import { paged, pagesOf } from './pages.js';
import { open, randomKey, request } from './request.js';

/** Deliveries of a page, the most that the API has. */
const PAGE = 100;

/** Time between reads of deliveries that may change, in milliseconds. */
const POLL_MS = 3_000;
/** Time between reads of a list, in milliseconds. Further pages end it: each makes reading them again more costly. */
const LIST_MS = 5_000;

/** States by which deliveries are filtered. */
export const deliveryStates = ['pending', 'in_flight', 'delivered', 'rejected', 'expired', 'cancelled'] as const;
/** State of a delivery. */
export type DeliveryState = (typeof deliveryStates)[number];

/** Filters of the deliveries of a destination: every value is a text. */
export interface DeliveryFilters {
  readonly state?: DeliveryState | undefined;
  readonly type?: string | undefined;
  readonly object_id?: string | undefined;
  readonly operation_id?: string | undefined;
  readonly principal_id?: string | undefined;
  /** RFC 3339. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly sequence_from?: string | undefined;
  readonly sequence_to?: string | undefined;
}

/** Whether the state of a delivery changes by itself. */
export function isOpen({ state }: Pick<Delivery, 'state'>): boolean {
  return state === 'pending' || state === 'in_flight';
}

/** The deliveries of an event, one for each destination, read again while one of them is not finished. */
export function eventDeliveriesQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['event-deliveries', id],
    queryFn: ({ pageParam, signal }) =>
      request('GET', '/events/{id}/deliveries', { path: { id }, query: { limit: PAGE, before_id: pageParam }, signal }),
    ...paged,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ deliveries }) => deliveries.some(isOpen)) === true && POLL_MS,
  });
}

/** The deliveries of a destination, newest first, page by page. */
export function deliveriesQuery(
  id: string,
  { type, sequence_from: first, sequence_to: last, ...texts }: DeliveryFilters,
) {
  const query = {
    limit: PAGE,
    ...texts,
    type: type === undefined ? undefined : [type],
    sequence_from: first === undefined ? undefined : Number(first),
    sequence_to: last === undefined ? undefined : Number(last),
  };
  return infiniteQueryOptions({
    queryKey: ['destination', id, 'deliveries', query],
    queryFn: ({ pageParam, signal }) =>
      request('GET', '/event_destinations/{id}/deliveries', {
        path: { id },
        query: { ...query, before_id: pageParam },
        signal,
      }),
    // The table stays while other filters are read, and the focus in it.
    placeholderData: keepPreviousData,
    ...paged,
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.pages.length > 1 ? false : LIST_MS),
  });
}

/** Form of the ids of deliveries: the API takes at most 15 digits, also for the id after one. */
const DELIVERY_ID = /^dlv_([1-9]\d{0,13})$/;

/** Returns the id after the id of a delivery, whether it exists or not; null for a text that is no such id. */
export function idAfter(deliveryId: string): string | null {
  const number = DELIVERY_ID.exec(deliveryId)?.[1];
  return number === undefined ? null : `dlv_${Number(number) + 1}`;
}

/**
 * One delivery of a destination; null where the destination has none with this id. The API has no route for it: it is
 * the first of the list that begins before the next id, which costs the service one row.
 */
export function deliveryQuery(id: string, deliveryId: string) {
  return queryOptions({
    queryKey: ['destination', id, 'delivery', deliveryId],
    queryFn: async ({ signal }): Promise<Delivery | null> => {
      const next = idAfter(deliveryId);
      if (next === null) return null;
      const query = { limit: 1, before_id: next };
      const { deliveries } = await request('GET', '/event_destinations/{id}/deliveries', {
        path: { id },
        query,
        signal,
      });
      return deliveries.find((one) => one.id === deliveryId) ?? null;
    },
    refetchInterval: ({ state: { data } }) => data != null && isOpen(data) && LIST_MS,
  });
}

/** Most pages of deliveries that are counted. */
const MOST_PAGES = 20;

/** Finished deliveries that can be sent again. */
export interface RedeliveryRange {
  readonly state: 'rejected' | 'expired' | 'delivered';
  /** RFC 3339: events recorded at or after this time. */
  readonly from?: string | undefined;
  /** RFC 3339: events recorded before this time. */
  readonly to?: string | undefined;
}

/** A number of deliveries. */
export interface DeliveryCount {
  readonly value: number;
  /** Whether the real number is higher. */
  readonly atLeast: boolean;
}

/**
 * Counts the deliveries of a range.
 * @param mostPages most pages of 100 that are counted
 * @throws ProblemError, ConnectionError
 */
export async function countDeliveries(
  id: string,
  { state, from, to }: RedeliveryRange,
  signal: AbortSignal,
  mostPages: number = MOST_PAGES,
): Promise<DeliveryCount> {
  let [value, pages] = [0, 0];
  const read = (before?: string) =>
    request('GET', '/event_destinations/{id}/deliveries', {
      path: { id },
      query: { limit: PAGE, state, from, to, before_id: before },
      signal,
    });
  for await (const { deliveries, next_page_uri: next } of pagesOf(read)) {
    value += deliveries.length;
    pages += 1;
    if (pages === mostPages) return { value, atLeast: next !== null };
  }
  return { value, atLeast: false };
}

/**
 * Returns a function that makes the deliveries of a range wait again: one request after another where there are many.
 * It returns how many wait again. Called again after an error, it repeats the request that failed, with its key:
 * delivered events are not sent twice.
 */
export function redeliveryOf(id: string, { state, to, ...range }: RedeliveryRange): () => Promise<number> {
  let [count, from, key] = [0, range.from, randomKey()];
  return async () => {
    for (;;) {
      const accepted = await request('POST', '/event_destinations/{id}/redeliveries', {
        path: { id },
        body: { state, ...(from !== undefined && { from }), ...(to !== undefined && { to }) },
        idempotencyKey: key,
      });
      count += accepted.count;
      if (accepted.next_from === null) return count;
      [from, key] = [accepted.next_from, randomKey()];
    }
  };
}

/** Makes the deliveries of single events wait again. @returns how many wait again */
export async function redeliverEvents(id: string, eventIds: readonly string[]): Promise<number> {
  const { count } = await request('POST', '/event_destinations/{id}/redeliveries', {
    path: { id },
    body: { event_ids: [...eventIds] },
  });
  return count;
}

/** The event as a delivery sends it, byte for byte. */
export function deliveredPayloadQuery({ id, event_id: eventId, sequence, epoch }: Delivery) {
  return queryOptions({
    queryKey: ['delivered-payload', id, sequence, epoch],
    queryFn: async ({ signal }) => {
      const path = { id: eventId, delivery_id: id };
      const response = await open('GET', '/events/{id}/deliveries/{delivery_id}/payload', { path, signal }, '*/*');
      return response.text();
    },
    staleTime: Infinity,
  });
}
