import type { ResourceKind } from '../../framework/definition/definition.js';

/** The kind of TCP edges, apart from their definition: endpoints refer to edges, and edges to endpoints. */
export const tcpEdgeKind = {
  name: 'tcp_edge',
  prefix: 'edgtcp',
  path: '/edges/tcp',
} as const satisfies ResourceKind;
