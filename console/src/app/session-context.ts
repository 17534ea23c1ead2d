import { createContext, useContext } from 'react';
import type { Access, Session } from '../api/session.js';

/** The session of the signed-in pages. */
export const SessionContext = createContext<Session | null>(null);

/** Returns the session of a signed-in page. @throws Error outside of such a page */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('This page needs a session.');
  return session;
}

/** Whether the session's role permits something. What it does not permit is not shown. */
export function useMay(access: Access): boolean {
  return useSession().access.includes(access);
}
