import { createRoute } from '@tanstack/react-router';
import { signedInRoute } from '../../app/signed-in-route.js';
import { readSearch } from './search.js';

/** The resources of one family. */
export const familyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/resources/$family',
  validateSearch: readSearch,
}).lazy(() => import('./screen.js').then(({ screen }) => screen));
