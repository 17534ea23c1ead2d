import { agentIngresses } from './agent-ingresses/family.js';
import { apiKeys } from './api-keys/family.js';
import { botUsers } from './bot-users/family.js';
import { endpoints } from './endpoints/family.js';
import { certificateAuthorities } from './certificate-authorities/family.js';
import { endpointConfigurations } from './endpoint-configurations/family.js';
import { eventDestinations } from './event-destinations/family.js';
import { eventSubscriptions } from './event-subscriptions/family.js';
import { failoverBackends } from './failover-backends/family.js';
import type { Family } from './framework/family.js';
import { httpResponseBackends } from './http-response-backends/family.js';
import { httpsEdgeRoutes } from './https-edge-routes/family.js';
import { httpsEdges } from './https-edges/family.js';
import { ipPolicies } from './ip-policies/family.js';
import { ipPolicyRules } from './ip-policy-rules/family.js';
import { reservedAddrs } from './reserved-addrs/family.js';
import { reservedDomains } from './reserved-domains/family.js';
import { tcpEdges } from './tcp-edges/family.js';
import { tlsCertificates } from './tls-certificates/family.js';
import { tunnelGroupBackends } from './tunnel-group-backends/family.js';
import { tunnelSessions } from './tunnel-sessions/family.js';
import { tunnels } from './tunnels/family.js';

/** Every family there is: routes, OpenAPI and the event catalogue follow from this list. */
export const families = [
  apiKeys,
  botUsers,
  ipPolicies,
  ipPolicyRules,
  tunnelGroupBackends,
  httpResponseBackends,
  failoverBackends,
  tcpEdges,
  tlsCertificates,
  certificateAuthorities,
  reservedDomains,
  endpointConfigurations,
  reservedAddrs,
  agentIngresses,
  eventSubscriptions,
  eventDestinations,
  endpoints,
  tunnels,
  tunnelSessions,
  httpsEdges,
  httpsEdgeRoutes,
] as const satisfies readonly Family[];
