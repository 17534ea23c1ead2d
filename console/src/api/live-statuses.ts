import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { EventDestinationStatus } from '@waybill/client';
import type { EventSourceMessage } from 'eventsource-parser';
import { LiveConnection } from './live-connection.js';
import { pagesOf } from './pages.js';
import { request } from './request.js';
import { forgetSession } from './session.js';

/** Path of the stream of the status of every destination. */
const STREAM = '/event_destinations/status/stream';

/** Statuses of a page of the list. */
const PAGE = 100;

/** Destinations that the stream follows at most: the newest. `MOST_FOLLOWED` of `status-feed.ts` in the service. */
export const MOST_FOLLOWED = 5_000;

/** The status of every destination: of the stream, and of the list while the stream cannot be had. */
export const statusesQuery = queryOptions({
  queryKey: ['statuses'],
  queryFn: async ({ signal }): Promise<readonly EventDestinationStatus[]> => {
    const all: EventDestinationStatus[] = [];
    const read = (before?: string) =>
      request('GET', '/event_destinations/status', { query: { limit: PAGE, before_id: before }, signal });
    for await (const page of pagesOf(read)) all.push(...page.statuses);
    return all;
  },
  gcTime: Infinity,
  structuralSharing: false,
});

/** Returns the connection that keeps the statuses of all destinations up to date, by server-sent events. */
export function statusStream(client: QueryClient): LiveConnection {
  const { queryKey } = statusesQuery;
  const take = ({ event, data }: EventSourceMessage): void => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { statuses = [], ids = [] } = JSON.parse(data) as {
      readonly statuses?: readonly EventDestinationStatus[];
      readonly ids?: readonly string[];
    };
    // A list that is being read is older.
    void client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, (known) =>
      event === 'snapshot' ? statuses : known && changed(known, statuses, ids),
    );
    // The list is read as soon as the stream is cut.
    void client.invalidateQueries({ queryKey, refetchType: 'none' });
  };
  return new LiveConnection(STREAM, take, () => forgetSession(client));
}

function changed(
  known: readonly EventDestinationStatus[],
  statuses: readonly EventDestinationStatus[],
  removed: readonly string[],
): readonly EventDestinationStatus[] {
  const byId = new Map([...known, ...statuses].map((status) => [status.id, status]));
  for (const id of removed) byId.delete(id);
  return [...byId.values()];
}

/**
 * Returns when the statuses were last known, in milliseconds since 1970: at the last event or heartbeat of the stream,
 * or when they were read. Null while they are live, and before the first.
 * @param updatedAt when they last changed or were read; 0: never
 */
export function lastKnownAt(stream: LiveConnection, updatedAt: number): number | null {
  if (updatedAt === 0 || stream.getState().kind === 'live') return null;
  return Math.max(updatedAt, stream.getHeardAt() ?? 0);
}
