import type { ResourceKind } from '../../framework/definition.js';

/** Names HTTPS edges for their routes, which the edges themselves have to know. */
export const httpsEdgeKind = {
  name: 'https_edge',
  prefix: 'edghts',
  path: '/edges/https',
} as const satisfies ResourceKind;
