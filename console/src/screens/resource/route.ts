import { createRoute } from '@tanstack/react-router';
import { signedInRoute } from '../../app/signed-in-route.js';
import { readSearch } from './search.js';

/** One resource. */
export const resourceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/resources/$family/$id',
  validateSearch: readSearch,
}).lazy(() => import('./screen.js').then(({ screen }) => screen));
