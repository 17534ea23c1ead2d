import { createRoute } from '@tanstack/react-router';
import { signedInRoute } from '../../app/signed-in-route.js';

/** What is kept, and since when it is complete. */
export const retentionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/retention',
}).lazy(() => import('./screen.js').then(({ screen }) => screen));
