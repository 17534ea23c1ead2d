import { createRoute } from '@tanstack/react-router';
import { signedInRoute } from '../../app/signed-in-route.js';
import { readSearch } from './search.js';

/** The comparison of an export with what Waybill reports. */
export const reconcileRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reconcile',
  validateSearch: readSearch,
}).lazy(() => import('./screen.js').then(({ screen }) => screen));
