import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { UndeliveredCount } from '@waybill/client';
import { paged, pagesOf } from './pages.js';
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

/** What destinations did not receive, by their ids, and in all. */
export interface UndeliveredCounts {
  readonly byId: ReadonlyMap<string, UndeliveredCount>;
  readonly value: number;
  /** Whether the real number is higher. */
  readonly atLeast: boolean;
}

/**
 * How many deliveries to each destination ended without being delivered, and why, read again every minute.
 * @param from only of events recorded at or after this time
 */
export function undeliveredCountsQuery(from?: string) {
  return queryOptions({
    queryKey: [UNDELIVERED_KEY, 'counts', from],
    queryFn: async ({ signal }): Promise<UndeliveredCounts> => {
      const counts: UndeliveredCount[] = [];
      const read = (before?: string) =>
        request('GET', '/event_destinations/deliveries/counts', {
          query: { limit: PAGE, from, before_id: before },
          signal,
        });
      for await (const page of pagesOf(read)) counts.push(...page.counts);
      return {
        byId: new Map(counts.map((count) => [count.id, count])),
        value: counts.reduce((sum, { rejected, expired }) => sum + rejected + expired, 0),
        atLeast: counts.some(({ is_lower_bound: more }) => more),
      };
    },
    staleTime: COUNT_MS,
    refetchInterval: COUNT_MS,
  });
}

function readPage({ state, destination_id: id }: UndeliveredFilter, before: string | undefined, signal: AbortSignal) {
  return request('GET', '/event_destinations/deliveries', {
    query: { limit: PAGE, state, destination_id: id === undefined ? undefined : [id], before_id: before },
    signal,
  });
}
