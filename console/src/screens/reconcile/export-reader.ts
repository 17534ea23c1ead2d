import type { DestinationExports, ExportRecord } from '@waybill/reconcile';
import { open, request } from '../../api/request.js';
import { isThrottled } from '../../api/retries.js';
import { patiently } from './patiently.js';

/** Exports a destination, for a comparison of contents. */
export class ExportReader implements DestinationExports {
  /** @param destination its id */
  constructor(private readonly destination: string) {}

  /** @throws ProblemError, ConnectionError */
  create(): Promise<ExportRecord> {
    const body = { format: 'ndjson', destination_id: this.destination } as const;
    // After a broken connection it is not known whether the export was created.
    return patiently(
      () => request('POST', '/exports', { body }),
      (_failures, error) => isThrottled(error),
    );
  }

  /** @throws ProblemError, ConnectionError */
  get(id: string): Promise<ExportRecord> {
    return patiently(() => request('GET', '/exports/{id}', { path: { id } }));
  }

  /** @throws ProblemError, ConnectionError */
  cancel(id: string): Promise<unknown> {
    return request('POST', '/exports/{id}/cancel', { path: { id } });
  }

  /** @throws ProblemError, ConnectionError */
  async download(id: string): Promise<ReadableStream<Uint8Array>> {
    const response = await patiently(() => open('GET', '/exports/{id}/download', { path: { id } }, '*/*'));
    if (response.body === null) throw new Error('Waybill sent no file.');
    return response.body;
  }
}
