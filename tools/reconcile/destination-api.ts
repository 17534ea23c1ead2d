import { setTimeout as sleep } from 'node:timers/promises';
import { connectionError, readResponse, type ApiResponse } from './api-response.js';
import type { DeliveryRecord, DestinationRecords, DestinationStatus } from './comparison/destination-records.js';

/** Reads the deliveries of one destination from the API. Any key of its account will do. */
export class DestinationApi implements DestinationRecords {
  constructor(
    private readonly baseUrl: string,
    private readonly key: string,
    private readonly destinationId: string,
  ) {}

  /** @throws Error with the reason and what to do */
  async status(): Promise<DestinationStatus> {
    return (await this.get(`${this.path}/status`)) as DestinationStatus;
  }

  /** Yields the deliveries in a state, newest first. */
  async *deliveries(state: DeliveryRecord['state']): AsyncGenerator<DeliveryRecord> {
    let url: string | null = `${this.path}/deliveries?state=${state}`;
    while (url !== null) {
      const page = (await this.get(url)) as {
        readonly deliveries: readonly DeliveryRecord[];
        readonly next_page_uri: string | null;
      };
      yield* page.deliveries;
      // Only the query: PUBLIC_URL may differ from the address used here.
      url = page.next_page_uri && `${this.path}/deliveries${new URL(page.next_page_uri).search}`;
    }
  }

  private get path(): string {
    return `${this.baseUrl}/event_destinations/${encodeURIComponent(this.destinationId)}`;
  }

  private async get(url: string): Promise<unknown> {
    for (;;) {
      const response = await this.ask(url);
      if (response.status !== 429) return readResponse(this.baseUrl, this.destinationId, response);
      await sleep(1_000 * Number(response.retryAfter ?? 1));
    }
  }

  private async ask(url: string): Promise<ApiResponse & { readonly retryAfter: string | null }> {
    try {
      const response = await fetch(url, {
        headers: { authorization: `Bearer ${this.key}`, 'service-version': '2' },
        // The key must not go to another address.
        redirect: 'manual',
      });
      const { status, headers } = response;
      const text = await response.text();
      return { status, text, location: headers.get('location'), retryAfter: headers.get('retry-after') };
    } catch (error) {
      throw connectionError(this.baseUrl, error);
    }
  }
}
