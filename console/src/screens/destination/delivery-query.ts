import { queryOptions } from '@tanstack/react-query';
import type { Delivery } from '@waybill/client';
import { isOpen } from '../../api/deliveries.js';
import { request } from '../../api/request.js';
import { idAfter } from './delivery-id.js';

/** Time between reads of a delivery that is not finished, in milliseconds. */
const REFRESH_MS = 5_000;

/** Result of a search for one delivery. */
export interface FoundDelivery {
  /** Null: the destination has none with this id. */
  readonly delivery: Delivery | null;
}

/**
 * One delivery of a destination. The API has no route for it: it is the first of the list that begins before the next
 * id, which costs the service one row.
 */
export function deliveryQuery(id: string, deliveryId: string) {
  return queryOptions({
    queryKey: ['delivery', id, deliveryId],
    queryFn: ({ signal }) => readDelivery(id, deliveryId, signal),
    refetchInterval: ({ state: { data } }) => data?.delivery != null && isOpen(data.delivery) && REFRESH_MS,
  });
}

async function readDelivery(id: string, deliveryId: string, signal: AbortSignal): Promise<FoundDelivery> {
  const next = idAfter(deliveryId);
  if (next === null) return { delivery: null };
  const { deliveries } = await request('GET', '/event_destinations/{id}/deliveries', {
    path: { id },
    query: { limit: 1, before_id: next },
    signal,
  });
  return { delivery: deliveries.find((one) => one.id === deliveryId) ?? null };
}
