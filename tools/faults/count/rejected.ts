import type { ApiClient } from '../../harness/api-client.js';
import { pagesOf } from './pages.js';

/** An event that a target rejected, as the API shows it. */
export interface RejectedEvent {
  readonly eventId: string;
  readonly sequence: number;
  /** Error code of the rejection. */
  readonly code: string;
}

interface DeliveryResponse {
  readonly event_id: string;
  readonly sequence: number;
  readonly state: string;
  readonly error: { readonly code: string } | null;
}

/** Returns the rejected events of a destination, newest first. */
export async function rejectedAt(api: ApiClient, destinationId: string): Promise<readonly RejectedEvent[]> {
  const rejected: RejectedEvent[] = [];
  const first = `/event_destinations/${destinationId}/deliveries?state=rejected&limit=100`;
  for await (const { deliveries } of pagesOf(api, first))
    for (const { event_id: eventId, sequence, error } of deliveries as readonly DeliveryResponse[])
      rejected.push({ eventId, sequence, code: error?.code ?? '' });
  return rejected;
}
