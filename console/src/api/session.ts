import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { Output } from '@waybill/client';
import { forgetTexts } from '../preferences/kept-text.js';
import { isSignedOut } from './problem.js';
import { request } from './request.js';

/** The session of the person at this browser. */
export type Session = Output<'getSession'>;

/** What a role permits, as the API names it. */
export type Access = Session['access'][number];

/** The session; null when nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return await request('GET', '/session', { signal });
    } catch (error) {
      if (isSignedOut(error)) return null;
      throw error;
    }
  },
  staleTime: Infinity,
  gcTime: Infinity,
});

/**
 * Signs in, and forgets what was read with another session.
 * @throws ProblemError when the credential is refused
 */
export async function signIn(
  client: QueryClient,
  credential: { readonly token: string } | { readonly code: string },
): Promise<void> {
  const session = await request('POST', '/session', { body: credential });
  client.clear();
  forgetTexts(session);
  client.setQueryData(sessionQuery.queryKey, session);
}

/**
 * Returns whose session a one-time code would begin. The code stays valid.
 * @throws ProblemError when the code is not valid
 */
export function previewCode(code: string): Promise<Session> {
  return request('POST', '/session', { body: { code, preview: true } });
}

/** Ends the session on the server, and forgets what was read with it. */
export async function signOut(client: QueryClient): Promise<void> {
  await request('DELETE', '/session');
  forgetTexts();
  forgetSession(client);
}

/** Removes everything that was read with the session from memory. What was typed stays for the same person. */
export function forgetSession(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  client.setQueryData(sessionQuery.queryKey, null);
}
