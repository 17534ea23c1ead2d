import type { ApiClient } from '../../demo/api-client.js';

/** An event that a destination's target refused for good, as the API shows it. */
export interface RejectedEvent {
  readonly eventId: string;
  readonly sequence: number;
  /** The code of the error that is shown with it. */
  readonly code: string;
}

interface DeliveryResponse {
  readonly event_id: string;
  readonly sequence: number;
  readonly state: string;
  readonly error: { readonly code: string } | null;
}

/** Everything that is rejected at a destination, newest first, as its owner would look it up. */
export async function rejectedAt(api: ApiClient, destinationId: string): Promise<readonly RejectedEvent[]> {
  const rejected: RejectedEvent[] = [];
  const first = `/event_destinations/${destinationId}/deliveries?state=rejected&limit=100`;
  for (let path: string | null = first; path !== null;) {
    const { body } = await api.send('GET', path);
    for (const { event_id: eventId, sequence, error } of body.deliveries as readonly DeliveryResponse[])
      rejected.push({ eventId, sequence, code: error?.code ?? '' });
    const next = typeof body.next_page_uri === 'string' ? new URL(body.next_page_uri) : null;
    path = next && `${next.pathname}${next.search}`;
  }
  return rejected;
}
