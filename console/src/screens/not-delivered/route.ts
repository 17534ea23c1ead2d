import { createRoute } from '@tanstack/react-router';
import { undeliveredStates, type UndeliveredFilter } from '../../api/undelivered.js';
import { listParam, textParam } from '../../app/search-params.js';
import { signedInRoute } from '../../app/signed-in-route.js';

/** The deliveries that ended without being delivered. */
export const notDeliveredRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/not-delivered',
  validateSearch: readSearch,
}).lazy(() => import('./screen.js').then(({ screen }) => screen));

/** Reads the parameters of the list. What is not one of them is ignored. */
function readSearch(search: Record<string, unknown>): UndeliveredFilter {
  return {
    state: listParam(textParam(search.state), undeliveredStates)?.[0],
    destination_id: textParam(search.destination_id),
  };
}
