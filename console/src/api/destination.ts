import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { EventDestination, Output } from '@waybill/client';
import { request } from './request.js';
import { readVersioned } from './versioned.js';

/** A destination as it was read. */
export interface DestinationVersion {
  readonly destination: EventDestination;
  /** Names the version, so that a change of another one is refused. */
  readonly etag: string | undefined;
}

/** What a test found. */
export type TestResult = Output<'testEventDestination'>;

/** Time between reads of what may change by itself, in milliseconds. */
const POLL_MS = 5_000;
/** Time between reads of a delivery that a person waits for, in milliseconds. */
const FOLLOW_MS = 2_000;

/** A destination with its version. */
export function destinationQuery(id: string) {
  return queryOptions({
    queryKey: ['destination', id],
    queryFn: ({ signal }) => readDestination(id, signal),
  });
}

async function readDestination(id: string, signal: AbortSignal): Promise<DestinationVersion> {
  const { resource, etag } = await readVersioned<EventDestination>('/event_destinations/{id}', id, { signal });
  return { destination: resource, etag };
}

/** Shows a new destination as it was returned, until it is read with its version. */
export function destinationCreated(client: QueryClient, destination: EventDestination): void {
  const { queryKey } = destinationQuery(destination.id);
  client.setQueryData(queryKey, { destination, etag: undefined }, { updatedAt: 0 });
  void client.invalidateQueries({ queryKey: ['statuses'] });
}

/** The status of one destination, for pages that have no live data yet. */
export function destinationStatusQuery(id: string) {
  return queryOptions({
    queryKey: ['destination-status', id],
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
