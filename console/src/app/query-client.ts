import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isSignedOut, ProblemError } from '../api/problem.js';
import { forgetSession } from '../api/session.js';

/** Retries of a read that did not reach the service. A refusal is shown at once. */
const RETRIES = 2;

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
        retry: (failures, error) => failures < RETRIES && !(error instanceof ProblemError && error.status < 500),
      },
    },
  });
  return client;
}
