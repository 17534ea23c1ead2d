import { createRoute } from '@tanstack/react-router';
import { readEventSearch } from '../../app/event-search.js';
import { signedInRoute } from '../../app/signed-in-route.js';

/** An event. Its parameters are the search that the events before and after it belong to. */
export const eventRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/events/$id',
  validateSearch: readEventSearch,
}).lazy(() => import('./screen.js').then(({ screen }) => screen));
