import { queryOptions } from '@tanstack/react-query';
import { request } from './request.js';

/** Time between reads, in milliseconds. */
const POLL_MS = 10_000;

/** What runs here: release, queue backend, workers. Read again every ten seconds while it is shown. */
export const serviceQuery = queryOptions({
  queryKey: ['service'],
  queryFn: ({ signal }) => request('GET', '/service', { signal }),
  refetchInterval: POLL_MS,
});
