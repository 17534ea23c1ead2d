import { createRoute } from '@tanstack/react-router';
import { signedInRoute } from '../../app/signed-in-route.js';

/** The families of resources. */
export const resourcesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/resources',
}).lazy(() => import('./screen.js').then(({ screen }) => screen));
