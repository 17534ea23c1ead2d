import { randomUUID } from 'node:crypto';
import { makeCertificate } from '../../tools/harness/certificates.js';
import type { TestClient } from './api-client.js';

/** Bodies that create and change a resource of a family. */
export interface Sample {
  readonly create: (api: TestClient) => Promise<Record<string, unknown>> | Record<string, unknown>;
  readonly change: Record<string, unknown>;
  /** Creates the parent and returns the path of the collection. Default: the path of the family. */
  readonly collection?: (api: TestClient) => Promise<string>;
}

const monitoring = {
  api_key: '0123456789abcdef0123456789abcdef',
  site: 'datadoghq.eu',
  service: 'audit',
  tags: 'env:test',
};
const describedIn = { description: 'made by a test', metadata: '{"a":1}' };

/** Number of names so far: each endpoint and edge needs a hostport, each resource type a name of its own. */
let names = 0;

/** A host name that no other sample has. */
function freshHost(): string {
  names += 1;
  return `sample${names}.example.com`;
}

/** A name that no other sample of a resource type has. */
export function freshTypeName(): string {
  names += 1;
  return `sample_order${names}`;
}

/** A sample of every family that clients can change, by family name. */
export const samples: Readonly<Record<string, Sample>> = {
  api_key: { create: () => describedIn, change: { description: 'renamed' } },
  bot_user: { create: () => ({ name: 'robot', active: true }), change: { name: 'android' } },
  ip_policy: { create: () => describedIn, change: { metadata: '{"a":2}' } },
  ip_policy_rule: {
    create: async (api) => ({
      ...describedIn,
      ip_policy_id: (await api.create('/ip_policies', {})).id,
      cidr: '192.0.2.0/24',
      action: 'deny',
    }),
    change: { cidr: '2001:db8::/32' },
  },
  tunnel_group_backend: {
    create: () => ({ ...describedIn, labels: { app: 'shop', env: 'test' } }),
    change: { labels: { app: 'shop' } },
  },
  http_response_backend: {
    create: () => ({
      ...describedIn,
      body: 'closed',
      headers: { 'content-type': 'text/plain' },
      status_code: 503,
    }),
    change: { headers: { 'retry-after': '60' } },
  },
  failover_backend: {
    create: async (api) => ({
      ...describedIn,
      backends: [(await api.create('/backends/http_response', {})).id],
    }),
    change: { backends: [] },
  },
  tcp_edge: {
    create: async (api) => ({
      ...describedIn,
      hostports: [`${freshHost()}:20001`],
      backend: { backend_id: (await api.create('/backends/failover', {})).id },
      ip_restriction: { ip_policy_ids: [(await api.create('/ip_policies', {})).id] },
    }),
    change: {
      traffic_policy: {
        value: '{"on_tcp_connect":[{"name":"closed","actions":[{"type":"deny"}]}]}',
      },
    },
  },
  tls_certificate: {
    create: async () => {
      const { certificate, key } = await makeCertificate({ dnsNames: ['app.example.com'] });
      return { ...describedIn, certificate_pem: certificate, private_key_pem: key };
    },
    change: { description: 'renamed' },
  },
  certificate_authority: {
    create: async () => ({
      ...describedIn,
      ca_pem: (await makeCertificate({ authority: true })).certificate,
    }),
    change: { metadata: '{"a":2}' },
  },
  reserved_domain: {
    create: () => ({
      ...describedIn,
      domain: `${randomUUID()}.example.com`,
      region: 'eu',
      certificate_management_policy: { authority: 'letsencrypt', private_key_type: 'rsa' },
    }),
    change: { description: 'renamed' },
  },
  endpoint_configuration: {
    create: () => ({ ...describedIn, type: 'tcp' }),
    change: { metadata: null },
  },
  reserved_addr: {
    create: () => ({ ...describedIn, region: 'jp' }),
    change: { description: 'renamed' },
  },
  agent_ingress: {
    create: () => ({
      ...describedIn,
      domain: `${randomUUID()}.example.com`,
      certificate_management_policy: {},
    }),
    change: { description: 'renamed' },
  },
  event_subscription: {
    create: async (api) => ({
      ...describedIn,
      sources: [{ type: 'ip_policy_created.v0' }],
      destination_ids: [(await api.create('/event_destinations', { target: { monitoring } })).id],
    }),
    change: { sources: [{ type: 'ip_policy_updated.v0' }] },
  },
  endpoint: {
    create: () => ({
      ...describedIn,
      url: `https://${freshHost()}`,
      type: 'cloud',
      traffic_policy: '{"on_http_request":[]}',
      bindings: ['public'],
      pooling_enabled: false,
    }),
    change: { pooling_enabled: true },
  },
  event_destination: {
    create: () => ({ ...describedIn, format: 'json', target: { monitoring } }),
    change: { target: { monitoring: { ...monitoring, api_key: null, service: 'other' } } },
  },
  https_edge: {
    create: () => ({ ...describedIn, hostports: [`${freshHost()}:443`, `*.${freshHost()}:443`] }),
    change: { metadata: '{"a":2}' },
  },
  https_edge_route: {
    collection: async (api) => `${(await api.create('/edges/https', {})).path}/routes`,
    create: () => ({
      ...describedIn,
      match_type: 'path_prefix',
      match: `/${randomUUID()}`,
      compression: {},
    }),
    change: { compression: { enabled: false } },
  },
  resource_type: {
    create: () => ({
      ...describedIn,
      name: freshTypeName(),
      title: 'order',
      actions: ['created', 'updated', 'deleted', 'refunded'],
      schema: {
        type: 'object',
        properties: { total: { type: 'integer', minimum: 0 }, card: { type: ['string', 'null'] } },
        required: ['total'],
      },
      redact: ['/card'],
      changes: 'computed',
    }),
    change: { title: 'purchase' },
  },
};
