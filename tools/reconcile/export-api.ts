import type { ApiClient } from './api-client.js';
import type { DestinationExports, ExportRecord } from './comparison/export-record.js';

/** Exports one destination through the API. A key with the role `auditor` will do. */
export class ExportApi implements DestinationExports {
  constructor(private readonly client: ApiClient) {}

  async create(): Promise<ExportRecord> {
    const body = { format: 'ndjson', destination_id: this.client.destinationId };
    return (await this.client.json('/exports', { method: 'POST', body })) as ExportRecord;
  }

  async get(id: string): Promise<ExportRecord> {
    return (await this.client.json(`/exports/${encodeURIComponent(id)}`)) as ExportRecord;
  }

  async cancel(id: string): Promise<unknown> {
    return this.client.json(`/exports/${encodeURIComponent(id)}/cancel`, { method: 'POST' });
  }

  download(id: string): Promise<ReadableStream<Uint8Array>> {
    return this.client.bytes(`/exports/${encodeURIComponent(id)}/download`);
  }
}
