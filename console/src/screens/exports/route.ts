import { createRoute } from '@tanstack/react-router';
import { signedInRoute } from '../../app/signed-in-route.js';

/** The list of exports. */
export const exportsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/exports',
}).lazy(() => import('./screen.js').then(({ screen }) => screen));
