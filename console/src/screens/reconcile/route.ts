import { createRoute } from '@tanstack/react-router';
import { textParam } from '../../app/search-params.js';
import { signedInRoute } from '../../app/signed-in-route.js';

/** The comparison of an export with what Waybill reports. */
export const reconcileRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reconcile',
  validateSearch: readSearch,
}).lazy(() => import('./screen.js').then(({ screen }) => screen));

/** Parameters of the reconciliation. */
interface ReconcileSearch {
  /** Id of the destination. */
  readonly destination?: string | undefined;
}

/** Reads the parameters of the reconciliation. What is not one of them is ignored. */
function readSearch(search: Record<string, unknown>): ReconcileSearch {
  return { destination: textParam(search.destination) };
}
