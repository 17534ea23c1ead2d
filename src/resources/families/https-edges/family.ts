import { EdgeBehaviour } from '../../building-blocks/edge-modules/edge-behaviour.js';
import type { Family } from '../../framework/family.js';
import { httpsEdge } from './https-edge.js';

/** HTTPS edges. */
export const httpsEdges = { definition: httpsEdge, behaviour: () => new EdgeBehaviour() } satisfies Family;
