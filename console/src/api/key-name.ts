import { queryOptions } from '@tanstack/react-query';
import { request } from './request.js';

/** Time for which the description of a key is not read again, in milliseconds. */
const FRESH_MS = 60_000;

/** The description of an API key; null without one. Fails for a key that the session cannot read. */
export function keyNameQuery(id: string) {
  return queryOptions({
    queryKey: ['key-name', id],
    queryFn: async ({ signal }) => (await request('GET', '/api_keys/{id}', { path: { id }, signal })).description,
    staleTime: FRESH_MS,
  });
}
