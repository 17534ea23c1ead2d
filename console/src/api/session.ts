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

/** Channel between the tabs of the browser, which have one cookie: the session that it stands for now. */
const CHANNEL = 'waybill.session';

function announce(session: Session | null): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(session);
  channel.close();
}

/** Takes over the sign-ins and the sign-out of other tabs. @returns a function that ends it */
export function followOtherTabs(client: QueryClient): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<Session | null>) => {
    if (data === null) {
      forgetTexts();
      forgetSession(client);
    } else client.setQueryData(sessionQuery.queryKey, data);
  });
  return () => channel.close();
}

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
  announce(session);
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
  announce(null);
}

/** Removes everything that was read with the session from memory. What was typed stays for the same person. */
export function forgetSession(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  client.setQueryData(sessionQuery.queryKey, null);
}
