import { createRoute } from '@tanstack/react-router';
import { signedInRoute } from '../../app/signed-in-route.js';
import { readSearch } from './search.js';

/** The deliveries that ended without being delivered. */
export const notDeliveredRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/not-delivered',
  validateSearch: readSearch,
}).lazy(() => import('./screen.js').then(({ screen }) => screen));
