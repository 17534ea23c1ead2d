import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Export } from '@waybill/client';
import { paged } from './pages.js';
import { request } from './request.js';

/** Exports of a page. */
const PAGE = 50;

/** Time between reads while an export is under way, in milliseconds. */
const POLL_MS = 1_000;

/** States of an export. */
export type ExportState = Export['state'];

/** Whether an export is not finished. */
export function isUnderWay({ state }: Pick<Export, 'state'>): boolean {
  return state === 'pending' || state === 'running';
}

/** First part of the keys of everything that is read of exports. */
export const EXPORTS_KEY = 'exports';

/** The exports of the account, newest first. */
export const exportsQuery = infiniteQueryOptions({
  queryKey: [EXPORTS_KEY, 'list'],
  queryFn: ({ pageParam, signal }) =>
    request('GET', '/exports', { query: { limit: PAGE, before_id: pageParam }, signal }),
  ...paged,
  refetchInterval: ({ state }) => state.data?.pages.some(({ exports }) => exports.some(isUnderWay)) === true && POLL_MS,
});

/** An export, read again while it is under way. */
export function exportQuery(id: string) {
  return queryOptions({
    queryKey: [EXPORTS_KEY, 'one', id],
    queryFn: ({ signal }) => request('GET', '/exports/{id}', { path: { id }, signal }),
    refetchInterval: ({ state }) => state.data !== undefined && isUnderWay(state.data) && POLL_MS,
  });
}
