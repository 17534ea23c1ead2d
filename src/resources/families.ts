import { agentIngresses } from './families/agent-ingresses/family.js';
import { apiKeys } from './families/api-keys/family.js';
import { botUsers } from './families/bot-users/family.js';
import { certificateAuthorities } from './families/certificate-authorities/family.js';
import { endpointConfigurations } from './families/endpoint-configurations/family.js';
import { endpoints } from './families/endpoints/family.js';
import { eventDestinations } from './families/event-destinations/family.js';
import { eventSubscriptions } from './families/event-subscriptions/family.js';
import { failoverBackends } from './families/failover-backends/family.js';
import { httpResponseBackends } from './families/http-response-backends/family.js';
import { httpsEdgeRoutes } from './families/https-edge-routes/family.js';
import { httpsEdges } from './families/https-edges/family.js';
import { ipPolicies } from './families/ip-policies/family.js';
import { ipPolicyRules } from './families/ip-policy-rules/family.js';
import { reservedAddrs } from './families/reserved-addrs/family.js';
import { reservedDomains } from './families/reserved-domains/family.js';
import { resourceTypes } from './families/resource-types/family.js';
import { tcpEdges } from './families/tcp-edges/family.js';
import { tlsCertificates } from './families/tls-certificates/family.js';
import { tunnelGroupBackends } from './families/tunnel-group-backends/family.js';
import { tunnelSessions } from './families/tunnel-sessions/family.js';
import { tunnels } from './families/tunnels/family.js';
import { users } from './families/users/family.js';
import type { Family } from './framework/definition/family.js';

/** The families with events. Routes, OpenAPI and the event catalogue derive from this list. */
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
  resourceTypes,
] as const satisfies readonly Family[];

/** The families whose resources never change: they have routes but no events. */
export const familiesWithoutEvents = [users] as const satisfies readonly Family[];
