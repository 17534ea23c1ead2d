import type { ApiClient } from '../../harness/api-client.js';
import type { EventLog, LoggedEvent } from './event-log.js';
import { pagesOf } from './pages.js';

/** Event types of the application with an outbox. */
export const orderTypes = ['order_created.v0', 'order_updated.v0'] as const;

/** A committed change of the application. */
export interface LedgerEntry {
  readonly order_id: string;
  readonly revision: number;
}

interface OrderEvent {
  readonly id: string;
  readonly type: string;
  readonly resource_id: string;
  readonly payload: { readonly object: { readonly revision: number }; readonly request: { operation_id: string } };
}

/** The published events, compared with the committed changes. */
export interface OutboxLog {
  /** `missing` counts committed changes without an event. */
  readonly eventLog: EventLog;
  /** Events of changes that were not committed. */
  readonly phantoms: number;
  /** Events of a change that has an earlier event. */
  readonly repeated: number;
}

/** Reads the events of the application from the API. */
export async function readOutboxLog(api: ApiClient, ledger: readonly LedgerEntry[]): Promise<OutboxLog> {
  const committed = new Set(ledger.map(({ order_id: order, revision }) => `${order} ${revision}`));
  const published = new Set<string>();
  const events = new Map<string, LoggedEvent>();
  const revisions = new Map<string, number>();
  let phantoms = 0;
  let repeated = 0;
  for await (const { events: page } of pagesOf(api, '/events?limit=100')) {
    for (const { id, type, resource_id: resourceId, payload } of page as readonly OrderEvent[]) {
      if (!orderTypes.some((one) => one === type)) continue;
      const { revision } = payload.object;
      const change = `${resourceId} ${revision}`;
      if (!committed.has(change)) phantoms += 1;
      if (published.has(change)) repeated += 1;
      published.add(change);
      events.set(id, { id, operationId: payload.request.operation_id, resourceId });
      revisions.set(id, revision);
    }
  }
  const missing = [...committed].filter((change) => !published.has(change)).length;
  return { eventLog: { events, revisions, missing }, phantoms, repeated };
}
