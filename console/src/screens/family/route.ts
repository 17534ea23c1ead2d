import { createRoute } from '@tanstack/react-router';
import { textParam } from '../../app/search-params.js';
import { signedInRoute } from '../../app/signed-in-route.js';

/** The resources of one family. */
export const familyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/resources/$family',
  validateSearch: readSearch,
}).lazy(() => import('./screen.js').then(({ screen }) => screen));

/** Parameters of the list of a family. */
interface FamilySearch {
  /** Id of the resource whose parts are listed, where the family has a parent. */
  readonly parent?: string | undefined;
  /** Words in the name, the id or the metadata. */
  readonly q?: string | undefined;
}

/** Reads the parameters. What is not one of them is ignored. */
function readSearch(search: Record<string, unknown>): FamilySearch {
  return { parent: textParam(search.parent), q: textParam(search.q) };
}
