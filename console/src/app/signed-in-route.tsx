import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createRoute, Navigate, redirect } from '@tanstack/react-router';
import { useState } from 'react';
import { StatusFeed } from '../api/live-statuses.js';
import { forgetSession, sessionQuery } from '../api/session.js';
import { NothingToRead } from './nothing-to-read.js';
import { rootRoute } from './root-route.js';
import { SessionContext } from './session-context.js';
import { Shell } from './shell.js';
import { StatusFeedContext } from './status-feed-context.js';

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
  const { data: session } = useQuery(sessionQuery);
  const client = useQueryClient();
  const [feed] = useState(() => new StatusFeed(() => forgetSession(client)));
  // The session has ended while the page was open.
  if (!session) return <Navigate to="/sign-in" search={{ next: here(), ended: 'true' }} replace />;
  return (
    <SessionContext value={session}>
      <StatusFeedContext value={feed}>
        {session.access.includes('read') ? <Shell /> : <NothingToRead />}
      </StatusFeedContext>
    </SessionContext>
  );
}

function here(): string {
  return window.location.pathname + window.location.search;
}
