import { EdgeBehaviour } from '../../building-blocks/edge-modules/edge-behaviour.js';
import { defineFamily } from '../../framework/definition/family.js';
import { tcpEdge } from './tcp-edge.js';

/** TCP edges. */
export const tcpEdges = defineFamily({
  definition: tcpEdge,
  behaviour: { create: () => new EdgeBehaviour('tcp') },
});
