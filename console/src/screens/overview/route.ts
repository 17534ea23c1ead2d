import { createRoute } from '@tanstack/react-router';
import { signedInRoute } from '../../app/signed-in-route.js';
import { screen } from './screen.js';
import { readSearch } from './search.js';

/** The overview of all destinations. */
export const overviewRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  validateSearch: readSearch,
}).lazy(() => Promise.resolve(screen));
