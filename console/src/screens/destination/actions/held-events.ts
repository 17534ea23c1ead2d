import { queryOptions } from '@tanstack/react-query';
import type { Backfill, Delivery } from '@waybill/client';
import { request } from '../../../api/request.js';

/** Most events of which is asked whether the destination has them: a page of its deliveries. */
const MOST_EVENTS = 100;

/** Most types that a list of deliveries is filtered by. */
const MOST_TYPES = 20;

/** Whether a page of deliveries can show that a destination has all events of a count. */
export function canBeCompared({
  state,
  events_total: total,
  filter,
}: Pick<Backfill, 'state' | 'events_total' | 'filter'>): boolean {
  return state === 'finished' && total !== null && total > 0 && total <= MOST_EVENTS && filter === null;
}

/** Whether a destination has all events that were counted. False: not, or it is not known. */
export function holdsAllQuery(count: Backfill) {
  const { id, types, to, destination } = count;
  return queryOptions({
    queryKey: ['destination', destination.id, 'backfills', id, 'held'],
    queryFn: async ({ signal }): Promise<boolean> => {
      const { deliveries } = await request('GET', '/event_destinations/{id}/deliveries', {
        path: { id: destination.id },
        query: {
          limit: MOST_EVENTS,
          // Events before that are about to be removed, and are not counted.
          from: count.complete_since ?? count.from,
          to,
          ...(types.length <= MOST_TYPES && { type: types }),
        },
        signal,
      });
      return holdsAll(count, deliveries);
    },
    staleTime: Infinity,
    retry: false,
  });
}

/**
 * Whether deliveries are of all events that were counted. Without a filter, an event of the types is one of them.
 * @param deliveries of events in the range that was counted
 */
export function holdsAll(
  { types, events_total: total }: Pick<Backfill, 'types' | 'events_total'>,
  deliveries: readonly Pick<Delivery, 'event_id' | 'event_type'>[],
): boolean {
  const counted = deliveries.filter(({ event_type: type }) => types.includes(type));
  return new Set(counted.map(({ event_id: event }) => event)).size === total;
}
