import type { ApiClient } from './api-client.js';
import type { DeliveryRecord, DestinationRecords, DestinationStatus } from './comparison/destination-records.js';
import type { Evidence } from './comparison/evidence.js';

/** Reads the deliveries of one destination from the API. Any key of its account will do. */
export class DestinationApi implements DestinationRecords {
  constructor(private readonly client: ApiClient) {}

  /** Returns the destination, without its secrets. @throws Error with the reason and what to do */
  async destination(): Promise<Evidence['destination']> {
    return (await this.client.json(this.path)) as Evidence['destination'];
  }

  /** @throws Error with the reason and what to do */
  async status(): Promise<DestinationStatus> {
    return (await this.client.json(`${this.path}/status`)) as DestinationStatus;
  }

  /** Yields the deliveries in a state, newest first. */
  async *deliveries(state: DeliveryRecord['state']): AsyncGenerator<DeliveryRecord> {
    let path: string | null = `${this.path}/deliveries?state=${state}`;
    while (path !== null) {
      const page = (await this.client.json(path)) as {
        readonly deliveries: readonly DeliveryRecord[];
        readonly next_page_uri: string | null;
      };
      yield* page.deliveries;
      // Only the query: PUBLIC_URL may differ from the address used here.
      path = page.next_page_uri && `${this.path}/deliveries${new URL(page.next_page_uri).search}`;
    }
  }

  private get path(): string {
    return `/event_destinations/${encodeURIComponent(this.client.destinationId)}`;
  }
}
