import { EdgeBehaviour } from '../../building-blocks/edge-modules/edge-behaviour.js';
import { defineFamily } from '../../framework/definition/family.js';
import { httpsEdge } from './https-edge.js';

/** HTTPS edges. */
export const httpsEdges = defineFamily({
  definition: httpsEdge,
  behaviour: { create: () => new EdgeBehaviour('https') },
});
