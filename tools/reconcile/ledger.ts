import { setTimeout as sleep } from 'node:timers/promises';
import { noAnswer, readAnswer, type ApiAnswer } from './api-answer.js';

/** States of a delivery that explain why its number is missing at the far end. */
export type OpenState = 'in_flight' | 'pending' | 'rejected' | 'expired';

/** A delivery, as far as it matters here. */
export interface LedgerEntry {
  readonly event_id: string;
  readonly state: OpenState | 'delivered';
  readonly sequence: number | null;
  readonly finished_at: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** What Waybill says of a destination as a whole. */
export interface LedgerStatus {
  readonly status: string;
  readonly last_sequence: number;
  readonly pending: number;
}

/** Reads what Waybill holds of one destination, through the API, with the key of anyone in its account. */
export class Ledger {
  constructor(
    private readonly baseUrl: string,
    private readonly key: string,
    private readonly destinationId: string,
  ) {}

  /** @throws Error that says why the API does not tell, and what to do */
  async status(): Promise<LedgerStatus> {
    return (await this.get(`${this.path}/status`)) as LedgerStatus;
  }

  /** The deliveries in a state, newest first, page by page. */
  async *deliveries(state: LedgerEntry['state']): AsyncGenerator<LedgerEntry> {
    let url: string | null = `${this.path}/deliveries?state=${state}`;
    while (url !== null) {
      const page = (await this.get(url)) as {
        readonly deliveries: readonly LedgerEntry[];
        readonly next_page_uri: string | null;
      };
      yield* page.deliveries;
      // Only its query: the address that the API knows itself by may be another one than leads to it from here.
      url = page.next_page_uri && `${this.path}/deliveries${new URL(page.next_page_uri).search}`;
    }
  }

  private get path(): string {
    return `${this.baseUrl}/event_destinations/${encodeURIComponent(this.destinationId)}`;
  }

  private async get(url: string): Promise<unknown> {
    for (;;) {
      const answer = await this.ask(url);
      if (answer.status !== 429) return readAnswer(this.baseUrl, this.destinationId, answer);
      await sleep(1_000 * Number(answer.retryAfter ?? 1));
    }
  }

  private async ask(url: string): Promise<ApiAnswer & { readonly retryAfter: string | null }> {
    try {
      const response = await fetch(url, {
        headers: { authorization: `Bearer ${this.key}`, 'service-version': '2' },
        // The key is for this address alone.
        redirect: 'manual',
      });
      const { status, headers } = response;
      const text = await response.text();
      return { status, text, location: headers.get('location'), retryAfter: headers.get('retry-after') };
    } catch (error) {
      throw noAnswer(this.baseUrl, error);
    }
  }
}
