import type { Delivery } from '@waybill/client';
import type { DestinationExports, DestinationLogs, DestinationRecords } from '@waybill/reconcile';
import { pagesOf } from '../../api/pages.js';
import { isNotFound } from '../../api/problem.js';
import { open, request } from '../../api/request.js';
import { isThrottled } from '../../api/retries.js';
import { patiently } from './patiently.js';

/** Deliveries of a page. */
const PAGE = 100;

/** What a comparison asks Waybill about one destination. */
interface DestinationApi {
  readonly records: DestinationRecords;
  readonly exports: DestinationExports;
  readonly logs: DestinationLogs;
}

/**
 * Returns what a comparison asks Waybill about a destination. Each function rejects with ProblemError or
 * ConnectionError.
 * @param onRead called with the number of deliveries that were read
 */
export function destinationApi(id: string, onRead: (deliveries: number) => void): DestinationApi {
  let count = 0;
  const logFile = (epoch: number, path: string): Promise<Response> =>
    patiently(() => open('GET', `/event_destinations/${id}/log/${epoch}/${path}`, {}, '*/*'));
  return {
    records: {
      status: () => patiently(() => request('GET', '/event_destinations/{id}/status', { path: { id } })),
      async *deliveries(state) {
        const read = (before?: string) =>
          patiently(() =>
            request('GET', '/event_destinations/{id}/deliveries', {
              path: { id },
              query: { state, limit: PAGE, before_id: before },
            }),
          );
        for await (const { deliveries } of pagesOf(read)) {
          count += deliveries.length;
          onRead(count);
          yield* deliveries.filter((one): one is Delivery & { state: typeof state } => one.state === state);
        }
      },
    },
    exports: {
      create: () =>
        // After a broken connection it is not known whether the export was created.
        patiently(
          () => request('POST', '/exports', { body: { format: 'ndjson', destination_id: id } }),
          (_failures, error) => isThrottled(error),
        ),
      get: (exportId) => patiently(() => request('GET', '/exports/{id}', { path: { id: exportId } })),
      cancel: (exportId) => request('POST', '/exports/{id}/cancel', { path: { id: exportId } }),
      download: async (exportId) => {
        const response = await patiently(() =>
          open('GET', '/exports/{id}/download', { path: { id: exportId } }, '*/*'),
        );
        if (response.body === null) throw new Error('Waybill sent no file.');
        return response.body;
      },
    },
    logs: {
      notes: async (epoch, file) => {
        try {
          return await (await logFile(epoch, file)).text();
        } catch (error) {
          if (isNotFound(error)) return null;
          throw error;
        }
      },
      tile: async (epoch, path) => new Uint8Array(await (await logFile(epoch, path)).arrayBuffer()),
    },
  };
}
