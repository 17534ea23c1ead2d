import { agentIngress } from '../../resources/families/agent-ingresses/agent-ingress.js';
import { certificateAuthority } from '../../resources/families/certificate-authorities/certificate-authority.js';
import { endpointConfiguration } from '../../resources/families/endpoint-configurations/endpoint-configuration.js';
import { endpoint } from '../../resources/families/endpoints/endpoint.js';
import { failoverBackend } from '../../resources/families/failover-backends/failover-backend.js';
import { httpResponseBackend } from '../../resources/families/http-response-backends/http-response-backend.js';
import { httpsEdgeRoute } from '../../resources/families/https-edge-routes/https-edge-route.js';
import { httpsEdge } from '../../resources/families/https-edges/https-edge.js';
import { ipPolicy } from '../../resources/families/ip-policies/ip-policy.js';
import { ipPolicyRule } from '../../resources/families/ip-policy-rules/ip-policy-rule.js';
import { reservedAddr } from '../../resources/families/reserved-addrs/reserved-addr.js';
import { reservedDomain } from '../../resources/families/reserved-domains/reserved-domain.js';
import { tcpEdge } from '../../resources/families/tcp-edges/tcp-edge.js';
import { tlsCertificate } from '../../resources/families/tls-certificates/tls-certificate.js';
import { tunnelGroupBackend } from '../../resources/families/tunnel-group-backends/tunnel-group-backend.js';
import type { ResourceDefinition } from '../../resources/framework/definition/definition.js';

/**
 * The families whose resources configure the data plane. The triggers of the migration `configuration_changes` have the
 * same list: a test compares them.
 */
export const configurationFamilies: readonly ResourceDefinition[] = [
  agentIngress,
  certificateAuthority,
  endpoint,
  endpointConfiguration,
  failoverBackend,
  httpResponseBackend,
  httpsEdge,
  httpsEdgeRoute,
  ipPolicy,
  ipPolicyRule,
  reservedAddr,
  reservedDomain,
  tcpEdge,
  tlsCertificate,
  tunnelGroupBackend,
];
