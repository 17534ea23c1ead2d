import type { ApiResponse, ApiClient } from '../harness/api-client.js';
import { makeCertificate } from '../harness/certificates.js';
import { demoTargets } from '../harness/destinations.js';

const DAY_MS = 86_400_000;

/** Called with the response to each change. */
type Done = (response: ApiResponse) => void;

/** A created resource, and its update. */
interface CreatedResource {
  readonly path: string;
  readonly change: Readonly<Record<string, unknown>>;
}

/** Number of changes of `changeEveryFamily`: three for each of its resources. */
export const FAMILY_CHANGES = 3 * 16;

/**
 * Creates a resource of every family that clients can change, updates all, and deletes them in reverse order. Together
 * they are a small edge of a tunnel platform with its backends, domains, certificates and routes.
 */
export async function changeEveryFamily(api: ApiClient, done: Done): Promise<void> {
  const resources: CreatedResource[] = [];
  const make = async (path: string, body: unknown, change: CreatedResource['change'] = { description: 'changed' }) => {
    const { id, response } = await api.create(path, body);
    done(response);
    resources.push({ path: `${path}/${id}`, change });
    return id;
  };
  const described = { description: 'demo', metadata: '{"demo":true}' };
  const validity = { notBefore: new Date(), notAfter: new Date(Date.now() + DAY_MS) };
  const server = await makeCertificate({ name: 'CN=shop.example.com', dnsNames: ['shop.example.com'], ...validity });
  const authority = await makeCertificate({ name: 'CN=Demo Authority', authority: true, ...validity });

  const certificate = await make('/tls_certificates', {
    ...described,
    certificate_pem: server.certificate,
    private_key_pem: server.key,
  });
  await make('/certificate_authorities', { ...described, ca_pem: authority.certificate });
  const configuration = await make('/endpoint_configurations', { ...described, type: 'tcp' });
  await make('/reserved_addrs', { ...described, region: 'eu' }, { endpoint_configuration_id: configuration });
  await make('/reserved_domains', { ...described, domain: 'shop.example.com', certificate_id: certificate });
  await make('/agent_ingresses', { ...described, domain: 'agents.example.com' });
  await make('/endpoints', { ...described, type: 'cloud', url: 'https://api.example.com' });

  const group = await make('/backends/tunnel_group', { ...described, labels: { app: 'shop' } });
  const closed = await make('/backends/http_response', { ...described, status_code: 503, body: 'closed' });
  const failover = await make('/backends/failover', { ...described, backends: [group, closed] });
  await make('/edges/tcp', {
    ...described,
    hostports: ['1.tcp.example.com:20001'],
    backend: { backend_id: failover },
  });
  const edge = await make('/edges/https', { ...described, hostports: ['shop.example.com:443'] });
  await make(
    `/edges/https/${edge}/routes`,
    {
      ...described,
      match_type: 'path_prefix',
      match: '/',
      backend: { backend_id: failover },
      compression: {},
    },
    { circuit_breaker: { error_threshold_percentage: 0.2 } },
  );
  const destination = await make('/event_destinations', {
    ...described,
    target: { monitoring: demoTargets.monitoring },
  });
  await make('/event_subscriptions', { ...described, destination_ids: [destination] });

  await make('/resource_types', { ...described, name: 'order' });

  for (const { path, change } of resources) done(await api.send('PATCH', path, change));
  for (const { path } of resources.toReversed()) done(await api.send('DELETE', path));
}
