import { createRoute } from '@tanstack/react-router';
import { readEventSearch } from '../../app/event-search.js';
import { signedInRoute } from '../../app/signed-in-route.js';

/** The search of events. */
export const eventsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/events',
  validateSearch: readEventSearch,
}).lazy(() => import('./screen.js').then(({ screen }) => screen));
