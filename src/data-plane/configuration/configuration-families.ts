import { kinds } from '../../resources/building-blocks/kinds.js';
import type { ResourceKind } from '../../resources/framework/definition/definition.js';

/**
 * The families whose resources configure the data plane. The triggers of the migration `configuration_changes` have the
 * same list: a test compares them.
 */
export const configurationFamilies: readonly ResourceKind[] = [
  kinds.agentIngress,
  kinds.certificateAuthority,
  kinds.endpoint,
  kinds.endpointConfiguration,
  kinds.failoverBackend,
  kinds.httpResponseBackend,
  kinds.httpsEdge,
  kinds.httpsEdgeRoute,
  kinds.ipPolicy,
  kinds.ipPolicyRule,
  kinds.reservedAddr,
  kinds.reservedDomain,
  kinds.tcpEdge,
  kinds.tlsCertificate,
  kinds.tunnelGroupBackend,
];
