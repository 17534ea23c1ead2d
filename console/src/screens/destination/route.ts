import { createRoute } from '@tanstack/react-router';
import { signedInRoute } from '../../app/signed-in-route.js';
import { readSearch } from './search.js';

/** One destination. */
export const destinationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/destinations/$id',
  validateSearch: readSearch,
}).lazy(() => import('./screen.js').then(({ screen }) => screen));
