import { createRoute } from '@tanstack/react-router';
import { signedInRoute } from '../../app/signed-in-route.js';

/** A subscription of a destination, to be changed. */
export const subscriptionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/destinations/$id/subscriptions/$subscriptionId',
}).lazy(() => import('./screen.js').then(({ screen }) => screen));
