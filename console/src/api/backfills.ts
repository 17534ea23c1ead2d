import { queryOptions } from '@tanstack/react-query';
import type { Backfill, CreateBackfill } from '@waybill/client';
import { request } from './request.js';

/** Time between reads while a backfill is under way, and while none is, in milliseconds. */
const BUSY_MS = 1_000;
const IDLE_MS = 30_000;

/** Whether a backfill has not ended. */
export function isUnderWay({ state }: Backfill): boolean {
  return state === 'counting' || state === 'running';
}

/** The newest backfills of a destination, read again every second while one of them is under way. */
export function backfillsQuery(id: string) {
  return queryOptions({
    queryKey: ['destination', id, 'backfills'],
    queryFn: async ({ signal }) => {
      const path = { id };
      return (await request('GET', '/event_destinations/{id}/backfills', { path, query: { limit: 20 }, signal }))
        .backfills;
    },
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? BUSY_MS : IDLE_MS),
  });
}

/** One backfill, read again every second until it has ended. */
export function backfillQuery(id: string, backfillId: string) {
  return queryOptions({
    queryKey: ['destination', id, 'backfills', backfillId],
    queryFn: ({ signal }) =>
      request('GET', '/event_destinations/{id}/backfills/{backfill_id}', {
        path: { id, backfill_id: backfillId },
        signal,
      }),
    refetchInterval: ({ state }) => (state.data === undefined || isUnderWay(state.data) ? BUSY_MS : false),
  });
}

/** Requests a backfill; with `dry_run`, its events are only counted. @throws ProblemError, ConnectionError */
export function createBackfill(id: string, body: CreateBackfill): Promise<Backfill> {
  return request('POST', '/event_destinations/{id}/backfills', { path: { id }, body });
}

/** Cancels a backfill: what was queued before is sent. @throws ProblemError, ConnectionError */
export function cancelBackfill(id: string, backfillId: string): Promise<Backfill> {
  return request('POST', '/event_destinations/{id}/backfills/{backfill_id}/cancel', {
    path: { id, backfill_id: backfillId },
  });
}
