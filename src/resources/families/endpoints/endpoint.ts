import { z } from 'zod';
import { boundedString } from '../../../bounds/bounded.js';
import { MAX_VALUES, repeatableParameter } from '../../../http/input/repeatable-parameter.js';
import { describable, describableInput } from '../../../http/input/text.js';
import { kinds } from '../../building-blocks/kinds.js';
import { MAX_POLICY_BYTES } from '../../building-blocks/traffic-policy/traffic-policy.js';
import { defineResource, type ResourceRow } from '../../framework/definition/definition.js';
import { createdAt, identity, ref } from '../../framework/definition/fields.js';
import { refTo } from '../../framework/definition/links.js';
import { endpointUrl, protocols, storedUrl } from './endpoint-url.js';

const bindingNames = ['public', 'internal', 'kubernetes'] as const;

/** Where an endpoint is reachable from. */
export const bindings = z
  .array(z.enum(bindingNames))
  .min(1)
  .max(bindingNames.length)
  .refine((list) => new Set(list).size === list.length, { error: 'must not name the same binding twice' })
  .meta({
    uniqueItems: true,
    description:
      'Where the endpoint is reachable from. `public`: the internet. `internal`: other endpoints of the account. `kubernetes`: clusters of the account. Null when unset: `public`.',
  });

const POLICY_TEXT =
  'Traffic policy: a JSON or YAML document in a string, returned as given. The protocol of the URL decides which phases are allowed. Null when unset.';
const POOLING_TEXT = 'Whether endpoints of the account may share the URL. All of them must have `pooling_enabled`.';

/** A traffic policy in a request. Its content is checked later, when the protocol of the URL is known. */
export const endpointPolicy = boundedString(MAX_POLICY_BYTES)
  .nullable()
  .meta({ description: POLICY_TEXT, contentMediaType: 'application/yaml', example: '{"on_http_request":[]}' });

/** The only type that clients can create. */
const cloudOnly = z
  .literal('cloud', {
    error: 'must be cloud: ephemeral endpoints are created with their tunnel, edge endpoints with their edge',
  })
  .default('cloud')
  .meta({ description: 'Only cloud endpoints can be created.' });

const inputs = {
  traffic_policy: endpointPolicy.optional(),
  ...describableInput,
  bindings: bindings.nullish(),
  pooling_enabled: z
    .boolean()
    .nullish()
    .meta({ description: `${POOLING_TEXT} Default: false.` }),
};

/** Addresses at which traffic enters. */
export const endpoint = defineResource({
  ...kinds.endpoint,
  title: { one: 'endpoint', many: 'endpoints' },
  summary:
    'An address at which traffic enters. Clients create cloud endpoints; an ephemeral endpoint exists while its tunnel is online, and an edge has one endpoint for each of its hostports. A hostport belongs to one edge or endpoint. Endpoints of one account can share a URL if all of them have `pooling_enabled`.',
  create: z.strictObject({ url: endpointUrl, type: cloudOnly, ...inputs }),
  update: z.strictObject({ url: endpointUrl.optional(), ...inputs }),
  read: z.object({
    ...identity,
    region: z
      .string()
      .nullable()
      .meta({ description: 'Region of the tunnel. Null when the endpoint is served in all regions.' }),
    created_at: createdAt,
    updated_at: z.iso.datetime().meta({ description: 'When the resource was last changed, RFC 3339.' }),
    public_url: z.string().meta({ description: 'Same as `url`.' }),
    proto: z.enum(protocols).meta({ description: 'Protocol of the URL.' }),
    scheme: z.enum(protocols).meta({ description: 'Scheme of the URL. Same as `proto`.' }),
    host: z.string().meta({ description: 'Host name of the URL, in lower-case ASCII.' }),
    port: z.int().meta({ description: 'Port of the URL, or the default port of its scheme.' }),
    hostport: z.string().meta({ description: '`host:port`.', deprecated: true }),
    type: z.enum(['ephemeral', 'edge', 'cloud']).meta({
      description:
        '`cloud`: created by a client. `ephemeral`: served by an agent-initiated tunnel. `edge`: served by an edge.',
    }),
    ...describable,
    domain: ref.nullable().meta({ description: 'Reserved domain that matched the host when the URL was set.' }),
    tcp_addr: ref.nullable().meta({ description: 'Reserved address that matched the URL when the URL was set.' }),
    tunnel: ref.nullable().meta({ description: 'Tunnel of an ephemeral endpoint.' }),
    edge: ref.nullable().meta({ description: 'Edge of an endpoint of type `edge`.' }),
    upstream_url: z.string().nullable().meta({ description: 'Local address that the tunnel forwards to.' }),
    upstream_protocol: z.string().nullable().meta({ description: 'Protocol that the agent forwards with.' }),
    url: z.string().meta({ description: 'Normalized URL of the endpoint.', example: 'https://app.example.com' }),
    principal: ref.nullable().meta({ description: 'User or bot that owns the endpoint.' }),
    traffic_policy: endpointPolicy,
    bindings: bindings.nullable(),
    tunnel_session: ref.nullable().meta({ description: 'Tunnel session of an ephemeral endpoint.' }),
    name: z.string().nullable().meta({ description: 'User-supplied name of the tunnel.' }),
    pooling_enabled: z.boolean().meta({ description: POOLING_TEXT }),
  }),
  filters: {
    id: repeatableParameter(boundedString(255), MAX_VALUES, { description: 'Only endpoints with one of these ids.' }),
    url: repeatableParameter(endpointUrl, MAX_VALUES, { description: 'Only endpoints that serve one of these URLs.' }),
  },
  links: [
    { field: 'principal_id', as: 'principal', to: [kinds.user, kinds.botUser] },
    { field: 'domain_id', as: 'domain', to: [kinds.reservedDomain] },
    { field: 'tcp_addr_id', as: 'tcp_addr', to: [kinds.reservedAddr] },
  ],
  derive: (row, baseUrl) => ({ ...partsOf(row.attributes.url), ...originOf(row, baseUrl) }),
});

function partsOf(stored: unknown) {
  const { url, scheme, host, port, hostport } = storedUrl(stored);
  return { url, public_url: url, proto: scheme, scheme, host, port, hostport };
}

/** The edge, or the tunnel and its session. The endpoint is deleted with them, so they need no links. */
function originOf({ parent_id, attributes }: ResourceRow, baseUrl: string) {
  return {
    edge: refTo([kinds.tcpEdge, kinds.httpsEdge], parent_id, baseUrl),
    tunnel: refTo([kinds.tunnel], parent_id, baseUrl),
    tunnel_session: refTo([kinds.tunnelSession], attributes.tunnel_session_id, baseUrl),
  };
}
