import { createRoute } from '@tanstack/react-router';
import { signedInRoute } from '../../app/signed-in-route.js';
import { readSearch } from './search.js';

/** The steps that create a destination. */
export const newDestinationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/destinations/new',
  validateSearch: readSearch,
}).lazy(() => import('./screen.js').then(({ screen }) => screen));
