import type { LinkDefinition, ResourceKind } from '../framework/definition/definition.js';

/** The kind of each family, apart from its definition: families link to each other. */
export const kinds = {
  agentIngress: { name: 'agent_ingress', prefix: 'agin', path: '/agent_ingresses' },
  apiKey: { name: 'api_key', prefix: 'ak', path: '/api_keys' },
  botUser: { name: 'bot_user', prefix: 'bot', path: '/bot_users' },
  certificateAuthority: { name: 'certificate_authority', prefix: 'ca', path: '/certificate_authorities' },
  endpoint: { name: 'endpoint', prefix: 'ep', path: '/endpoints' },
  endpointConfiguration: { name: 'endpoint_configuration', prefix: 'ec', path: '/endpoint_configurations' },
  eventDestination: { name: 'event_destination', prefix: 'ed', path: '/event_destinations' },
  eventSubscription: { name: 'event_subscription', prefix: 'esb', path: '/event_subscriptions' },
  failoverBackend: { name: 'failover_backend', prefix: 'bkdfo', path: '/backends/failover' },
  httpResponseBackend: { name: 'http_response_backend', prefix: 'bkdhr', path: '/backends/http_response' },
  httpsEdge: { name: 'https_edge', prefix: 'edghts', path: '/edges/https' },
  httpsEdgeRoute: { name: 'https_edge_route', prefix: 'edghtsrt', path: '/edges/https/:edge_id/routes' },
  ipPolicy: { name: 'ip_policy', prefix: 'ipp', path: '/ip_policies' },
  ipPolicyRule: { name: 'ip_policy_rule', prefix: 'ipr', path: '/ip_policy_rules' },
  reservedAddr: { name: 'reserved_addr', prefix: 'ra', path: '/reserved_addrs' },
  reservedDomain: { name: 'reserved_domain', prefix: 'rd', path: '/reserved_domains' },
  resourceType: { name: 'resource_type', prefix: 'rt', path: '/resource_types' },
  tcpEdge: { name: 'tcp_edge', prefix: 'edgtcp', path: '/edges/tcp' },
  tlsCertificate: { name: 'tls_certificate', prefix: 'cert', path: '/tls_certificates' },
  tunnel: { name: 'tunnel', prefix: 'tn', path: '/tunnels' },
  tunnelGroupBackend: { name: 'tunnel_group_backend', prefix: 'bkdtg', path: '/backends/tunnel_group' },
  tunnelSession: { name: 'tunnel_session', prefix: 'ts', path: '/tunnel_sessions' },
  user: { name: 'user', prefix: 'usr', path: '/users' },
} as const satisfies Readonly<Record<string, ResourceKind>>;

/** Every kind of backend that an edge, a route or a failover backend may refer to. */
export const backendKinds: LinkDefinition['to'] = [
  kinds.tunnelGroupBackend,
  kinds.httpResponseBackend,
  kinds.failoverBackend,
];
