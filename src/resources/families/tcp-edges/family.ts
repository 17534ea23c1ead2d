import { EdgeBehaviour } from '../../building-blocks/edge-modules/edge-behaviour.js';
import type { Family } from '../../framework/family.js';
import { tcpEdge } from './tcp-edge.js';

/** TCP edges. */
export const tcpEdges = { definition: tcpEdge, behaviour: () => new EdgeBehaviour() } satisfies Family;
