import type { DestinationExports, ExportRecord } from '@waybill/reconcile';
import { errorOf, ProblemError } from '../../api/problem.js';
import { open, request } from '../../api/request.js';
import { patiently } from './patiently.js';

/** Exports a destination, for a comparison of contents. */
export class ExportReader implements DestinationExports {
  /** @param destination its id */
  constructor(private readonly destination: string) {}

  /** @throws ProblemError, ConnectionError */
  create(): Promise<ExportRecord> {
    const body = { format: 'ndjson', destination_id: this.destination } as const;
    // After a broken connection it is not known whether the export was created.
    return patiently(() => request('POST', '/exports', { body }), isThrottled);
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
    const response = await patiently(async () => {
      const opened = await open('GET', '/exports/{id}/download', { path: { id } }, '*/*');
      if (opened.ok) return opened;
      throw errorOf(opened, await opened.text());
    });
    if (response.body === null) throw new Error('Waybill sent no file.');
    return response.body;
  }
}

function isThrottled(_failures: number, error: Error): boolean {
  return error instanceof ProblemError && error.status === 429;
}
