import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isSignedOut } from '../api/problem.js';
import { isRepeated } from '../api/retries.js';
import { forgetSession } from '../api/session.js';

/** Makes the cache of what was read. The end of the session, seen by any request, empties it. */
export function makeQueryClient(): QueryClient {
  const onError = (error: unknown): void => {
    if (isSignedOut(error)) forgetSession(client);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: isRepeated,
      },
      // A change without a network fails at once. It would wait without a word otherwise.
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
