import { defineFamily } from '../../framework/definition/family.js';
import { HttpsEdgeRouteBehaviour } from './https-edge-route-behaviour.js';
import { httpsEdgeRoute } from './https-edge-route.js';

/** HTTPS edge routes. */
export const httpsEdgeRoutes = defineFamily({
  definition: httpsEdgeRoute,
  behaviour: { create: () => new HttpsEdgeRouteBehaviour() },
});
