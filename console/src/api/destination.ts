import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { Event, EventDestination, Output } from '@waybill/client';
import { request } from './request.js';
import { UNDELIVERED_KEY } from './undelivered.js';
import { readVersioned } from './versioned.js';

/** What a test found. */
export type TestResult = Output<'testEventDestination'>;

/** Time between reads of what may change by itself, in milliseconds. */
const POLL_MS = 5_000;
/** Time between reads of a delivery that a person waits for, in milliseconds. */
const FOLLOW_MS = 2_000;

/** A destination with its version. The keys of other queries of a destination begin with its key. */
export function destinationQuery(id: string) {
  return queryOptions({
    queryKey: ['destination', id],
    queryFn: ({ signal }) => readVersioned<EventDestination>('/event_destinations/{id}', id, { signal }),
  });
}

/** Shows a new destination as it was returned, until it is read with its version. */
export function destinationCreated(client: QueryClient, resource: EventDestination): void {
  const { queryKey } = destinationQuery(resource.id);
  client.setQueryData(queryKey, { resource, etag: undefined }, { updatedAt: 0 });
  void client.invalidateQueries({ queryKey: ['statuses'] });
}

/** The status of one destination, for pages that have no live data yet. */
export function destinationStatusQuery(id: string) {
  return queryOptions({
    queryKey: ['destination', id, 'status'],
    queryFn: ({ signal }) => request('GET', '/event_destinations/{id}/status', { path: { id }, signal }),
    refetchInterval: POLL_MS,
  });
}

/** The delivery of one event to one destination, read again until it has ended; null where there is none. */
export function deliveryOfEventQuery(eventId: string, destinationId: string) {
  return queryOptions({
    queryKey: ['delivery-of-event', eventId, destinationId],
    queryFn: async ({ signal }) => {
      const { deliveries } = await request('GET', '/events/{id}/deliveries', {
        path: { id: eventId },
        query: { limit: 100 },
        signal,
      });
      return deliveries.find((delivery) => delivery.destination_id === destinationId) ?? null;
    },
    refetchInterval: ({ state }) => (state.data?.finished_at == null ? FOLLOW_MS : false),
  });
}

/** Tests a destination, and waits for the verdict for up to 15 seconds. @throws ProblemError, ConnectionError */
export function testDestination(id: string): Promise<TestResult> {
  return request('POST', '/event_destinations/{id}/test', { path: { id } });
}

/** The event of the last change of a destination; null where none is kept since its creation. */
export function lastChangeQuery(id: string) {
  return queryOptions({
    queryKey: ['destination', id, 'last-change'],
    queryFn: async ({ signal }): Promise<Event | null> => {
      const { events } = await request('GET', '/event_destinations/{id}/events', {
        path: { id },
        query: { limit: 1, type: ['event_destination_updated.v0'] },
        signal,
      });
      return events[0] ?? null;
    },
  });
}

/** Reads again what is shown of destinations that were changed, and what was not delivered to any. */
export async function destinationChanged(client: QueryClient, ...ids: readonly string[]): Promise<void> {
  const keys = [...ids.map((id) => ['destination', id]), [UNDELIVERED_KEY]];
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
}
