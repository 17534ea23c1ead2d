import { Waybill, WaybillError, type Delivery, type WaybillOptions } from '@waybill/client';
import { fetchFile } from '@waybill/verify';
import type { DestinationLogs } from './comparison/destination-logs.js';
import type { DeliveryRecord, DestinationRecords } from './comparison/destination-records.js';
import type { Caller, Evidence } from './comparison/evidence.js';
import type { DestinationExports } from './comparison/export-record.js';

/** The API, and the destination that is compared. */
export interface ApiOptions extends WaybillOptions {
  readonly destination: string;
}

const EXPORT_GONE = 'The export of Waybill was deleted during the comparison. Compare again.';

/** Largest page of the API. */
const PAGE = 100;

/**
 * Reads the record of one destination from the API. A key with the role `auditor` will do. Each error says what to do.
 */
export class WaybillApi implements DestinationRecords {
  /** Exports of the destination. */
  readonly exports: DestinationExports = {
    create: () => this.explained(this.client.exports.create({ format: 'ndjson', destination_id: this.id })),
    get: (id) => this.explained(this.client.exports.get(id), EXPORT_GONE),
    cancel: (id) => this.explained(this.client.exports.cancel(id), EXPORT_GONE),
    download: (id) => this.download(id),
  };
  /** Signed logs of the destination. */
  readonly logs: DestinationLogs = {
    notes: async (epoch, file) => {
      const bytes = await this.logFile(epoch, file);
      return bytes === null ? null : new TextDecoder().decode(bytes);
    },
    tile: async (epoch, path) => {
      const bytes = await this.logFile(epoch, path);
      if (bytes === null) throw new Error(`The log of epoch ${epoch} has no ${path}.`);
      return bytes;
    },
  };
  private readonly client: Waybill;
  private readonly id: string;

  constructor(private readonly options: ApiOptions) {
    this.client = new Waybill(options);
    this.id = options.destination;
  }

  caller(): Promise<Caller> {
    return this.explained(this.client.session.get());
  }

  /** Returns the destination, without its secrets. */
  destination(): Promise<Evidence['destination']> {
    return this.explained(this.client.eventDestinations.get(this.id));
  }

  status(): ReturnType<DestinationRecords['status']> {
    return this.explained(this.client.eventDestinations.getStatus(this.id));
  }

  async *deliveries(state: DeliveryRecord['state']): AsyncGenerator<DeliveryRecord> {
    const list = this.client.eventDestinations.listDeliveries(this.id, { state, limit: PAGE });
    try {
      for await (const delivery of list) if (isIn(delivery, state)) yield delivery;
    } catch (error) {
      throw this.explain(error);
    }
  }

  private async download(id: string): Promise<ReadableStream<Uint8Array>> {
    let file: ReadableStream<Uint8Array> | null = null;
    const client = new Waybill({
      ...this.options,
      // The client would hold the whole file in memory, and refuse a large one.
      fetch: async (...request) => {
        const response = await fetch(...request);
        if (!response.ok) return response;
        file = response.body;
        return new Response(null, response);
      },
    });
    await this.explained(client.exports.download(id), EXPORT_GONE);
    return file ?? new Blob([]).stream();
  }

  /** Returns a file of a log; null if there is none. The client returns files as text, and tiles are none. */
  private async logFile(epoch: number, path: string): Promise<Uint8Array | null> {
    const { url, key } = this.options;
    const address = `${url}/event_destinations/${encodeURIComponent(this.id)}/log/${epoch}/${path}`;
    const { status, bytes } = await this.explained(fetchFile(address, key));
    if (status === 200) return bytes;
    if (status === 404) return null;
    throw new Error(`${address} answered with ${status}.`);
  }

  /** @param absent what a 404 means; default: there is no such destination */
  private async explained<Data>(response: Promise<Data>, absent?: string): Promise<Data> {
    return response.catch((error: unknown) => {
      throw this.explain(error, absent);
    });
  }

  private explain(
    error: unknown,
    absent = `There is no event destination ${this.id} in the account of this API key. GET /event_destinations lists the destinations.`,
  ): Error {
    const { url } = this.options;
    if (error instanceof WaybillError) return new Error(refusal(error, url, absent), { cause: error });
    const text = error instanceof Error ? error.message : String(error);
    return new Error(`${url}: ${text} Give the address of the API with --url or WAYBILL_URL.`, { cause: error });
  }
}

function isIn(delivery: Delivery, state: DeliveryRecord['state']): delivery is Delivery & DeliveryRecord {
  return delivery.state === state;
}

/** Returns why the API refused a request, and what to do. */
function refusal({ errorCode, status, detail }: WaybillError, url: string, absent: string): string {
  switch (errorCode) {
    case 'credentials_invalid':
      return `Waybill at ${url} does not accept the API key in WAYBILL_API_KEY. The key is mistyped, deleted, or of another installation.`;
    case 'principal_inactive':
      return 'The API key in WAYBILL_API_KEY belongs to an inactive bot user. Activate the bot user, or use another key.';
    case 'not_found':
      return absent;
    default:
      return `Waybill at ${url} returned an error (HTTP ${status}, ${errorCode}): ${detail}${status >= 500 ? ' Try again.' : ''}`;
  }
}
