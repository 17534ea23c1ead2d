import { createRoute } from '@tanstack/react-router';
import { textParam } from '../../app/search-params.js';
import { signedInRoute } from '../../app/signed-in-route.js';

/** One resource. */
export const resourceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/resources/$family/$id',
  validateSearch: readSearch,
}).lazy(() => import('./screen.js').then(({ screen }) => screen));

/** Parameters of the page of a resource. */
interface ResourceSearch {
  /** Id of the resource that it is a part of. Without it, the events of the resource say which one that is. */
  readonly parent?: string | undefined;
}

/** Reads the parameters. What is not one of them is ignored. */
function readSearch(search: Record<string, unknown>): ResourceSearch {
  return { parent: textParam(search.parent) };
}
