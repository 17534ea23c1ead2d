import type { ResourceKind } from '../../framework/definition/definition.js';

/** The kind of HTTPS edges, apart from their definition: routes refer to edges, and edges to routes. */
export const httpsEdgeKind = {
  name: 'https_edge',
  prefix: 'edghts',
  path: '/edges/https',
} as const satisfies ResourceKind;
