import { createRoute } from '@tanstack/react-router';
import { textParam } from '../../app/search-params.js';
import { signedInRoute } from '../../app/signed-in-route.js';

/** The steps that create a destination. */
export const newDestinationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/destinations/new',
  validateSearch: readSearch,
}).lazy(() => import('./screen.js').then(({ screen }) => screen));

/** Parameters of the page that creates a destination. */
interface NewDestinationSearch {
  /** The destination, once it is created: the page continues with it after a reload. */
  readonly id?: string | undefined;
}

/** Reads the parameters of the page. What is not one of them is ignored. */
function readSearch(search: Record<string, unknown>): NewDestinationSearch {
  const id = textParam(search.id);
  return { id: id !== undefined && /^ed_[0-9a-z]{26}$/.test(id) ? id : undefined };
}
