import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createRoute, Navigate, redirect } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { statusStream } from '../api/live-statuses.js';
import { followOtherTabs, sessionQuery } from '../api/session.js';
import { forgetTexts } from '../preferences/kept-text.js';
import { NothingToRead } from './nothing-to-read.js';
import { rootRoute } from './root-route.js';
import { SessionContext } from './session-context.js';
import { Shell } from './shell.js';
import { StatusStreamContext } from './status-stream-context.js';

/** The parent of every page that needs a session. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const session = await context.client.ensureQueryData(sessionQuery);
    if (session === null) throw redirect({ to: '/sign-in', search: { next: location.publicHref } });
  },
  component: SignedIn,
});

function SignedIn() {
  // A page that is not the console may also begin a session: the API documentation.
  const { data: session } = useQuery({ ...sessionQuery, refetchOnWindowFocus: 'always' });
  const client = useQueryClient();
  const [credential] = useState(session?.credential_id);
  const isReplaced = session != null && session.credential_id !== credential;
  useEffect(() => followOtherTabs(client), [client]);
  useEffect(() => {
    if (!isReplaced) return;
    forgetTexts(session);
    // What the page has read and made is that of the session before.
    window.location.reload();
  }, [isReplaced, session]);
  const [stream] = useState(() => statusStream(client));
  // The session has ended while the page was open.
  if (!session) return <Navigate to="/sign-in" search={{ next: here(), ended: 'true' }} replace />;
  if (isReplaced) return null;
  return (
    <SessionContext value={session}>
      <StatusStreamContext value={stream}>
        {session.access.includes('read') ? <Shell /> : <NothingToRead />}
      </StatusStreamContext>
    </SessionContext>
  );
}

function here(): string {
  return window.location.pathname + window.location.search;
}
