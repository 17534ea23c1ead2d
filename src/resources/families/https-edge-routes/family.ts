import { defineFamily } from '../../framework/family.js';
import { httpsEdgeRoute } from './https-edge-route.js';
import { HttpsEdgeRouteBehaviour } from './https-edge-route-behaviour.js';

/** HTTPS edge routes. */
export const httpsEdgeRoutes = defineFamily({
  definition: httpsEdgeRoute,
  behaviour: { create: () => new HttpsEdgeRouteBehaviour() },
});
