import { z } from 'zod';
import { describable, describableInput } from '../../../http/text.js';
import { botUser } from '../bot-users/bot-user.js';
import { defineResource, type ResourceRow } from '../../framework/definition.js';
import { createdAt, identity, ref } from '../../framework/fields.js';
import { uriOf, type Ref } from '../../framework/links.js';
import { reservedAddr } from '../reserved-addrs/reserved-addr.js';
import { reservedDomain } from '../reserved-domains/reserved-domain.js';
import { MAX_POLICY_BYTES } from '../../building-blocks/traffic-policy/traffic-policy.js';
import { tunnelKind, tunnelSessionKind } from '../../building-blocks/tunnels/kinds.js';
import { user } from '../../building-blocks/principals/user.js';
import { endpointUrl, protocols, storedUrl } from './endpoint-url.js';

const bindingNames = ['public', 'internal', 'kubernetes'] as const;

/** From where an endpoint can be reached. */
export const bindings = z
  .array(z.enum(bindingNames))
  .min(1)
  .max(bindingNames.length)
  .refine((list) => new Set(list).size === list.length, { error: 'must not name the same binding twice' })
  .meta({
    description:
      'From where it can be reached: `public`, the internet; `internal`, other endpoints of the account; `kubernetes`, clusters of the account. `public` unless given.',
  });

const POLICY_TEXT =
  'Traffic policy: a JSON document in a string, with the phases of the url’s protocol. Null when unset.';
const POOLING_TEXT =
  'Whether other endpoints of the account that allow it too may be served at the same url.';

/** A traffic policy as it is given; what is in it is checked when the protocol is known. */
export const endpointPolicy = z
  .string()
  .max(MAX_POLICY_BYTES)
  .nullable()
  .meta({ description: POLICY_TEXT, example: '{"on_http_request":[]}' });

/** The one type that clients can make; null and absence mean it too. */
const cloudOnly = z
  .literal('cloud', {
    error:
      'must be cloud: an endpoint of the type ephemeral comes with its tunnel, one of the type edge with its edge',
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
    .meta({ description: `${POOLING_TEXT} False unless given.` }),
};

/** Addresses at which traffic enters. */
export const endpoint = defineResource({
  name: 'endpoint',
  prefix: 'ep',
  path: '/endpoints',
  listKey: 'endpoints',
  title: { one: 'endpoint', many: 'endpoints' },
  summary:
    'An address at which traffic enters: a cloud endpoint, which clients make, or the ephemeral one of a tunnel, which is there while its agent is online. A url is served once; only endpoints of one account that all have `pooling_enabled` share it.',
  create: z.strictObject({ url: endpointUrl, type: cloudOnly, ...inputs }),
  update: z.strictObject({ url: endpointUrl.optional(), ...inputs }),
  read: z
    .object({
      ...identity,
      region: z.string().nullable().meta({ description: 'Region of its tunnel; null for all regions.' }),
      created_at: createdAt,
      updated_at: z.iso.datetime().meta({ description: 'When it was last changed, RFC 3339.' }),
      public_url: z.string().meta({ description: 'The same as `url`.' }),
      proto: z.enum(protocols).meta({ description: 'Protocol of the url.' }),
      scheme: z.enum(protocols).meta({ description: 'Scheme of the url: the same as `proto`.' }),
      host: z.string().meta({ description: 'Host name of the url, in lower-case ASCII.' }),
      port: z.int().meta({ description: 'Port of the url, or the usual one of its scheme.' }),
      hostport: z.string().meta({ description: '`host:port`.', deprecated: true }),
      type: z.enum(['ephemeral', 'edge', 'cloud']).meta({
        description: '`cloud`: made by a client. `ephemeral`: served by an agent. `edge`: served by an edge.',
      }),
      ...describable,
      domain: ref
        .nullable()
        .meta({ description: 'The reserved domain that the host belonged to when the url was set.' }),
      tcp_addr: ref
        .nullable()
        .meta({ description: 'The reserved address that the url named when it was set.' }),
      tunnel: ref.nullable().meta({ description: 'The tunnel of an ephemeral endpoint.' }),
      edge: ref.nullable().meta({ description: 'The edge of an endpoint of the type `edge`.' }),
      upstream_url: z.string().nullable().meta({ description: 'Where the agent forwards to.' }),
      upstream_protocol: z
        .string()
        .nullable()
        .meta({ description: 'Protocol that the agent forwards with.' }),
      url: z.string().meta({ description: 'The url in its one form.', example: 'https://app.example.com' }),
      principal: ref.nullable().meta({ description: 'The user or bot that owns it.' }),
      traffic_policy: endpointPolicy,
      bindings,
      tunnel_session: ref.nullable().meta({ description: 'The agent’s session of an ephemeral endpoint.' }),
      name: z.string().nullable().meta({ description: 'Name that the agent’s user gave the tunnel.' }),
      pooling_enabled: z.boolean().meta({ description: POOLING_TEXT }),
    })
    .meta({ id: 'Endpoint' }),
  links: [
    { field: 'principal_id', as: 'principal', to: () => [user, botUser] },
    { field: 'domain_id', as: 'domain', to: () => [reservedDomain] },
    { field: 'tcp_addr_id', as: 'tcp_addr', to: () => [reservedAddr] },
  ],
  derive: (row, baseUrl) => ({ ...partsOf(row.attributes.url), ...originOf(row, baseUrl) }),
});

function partsOf(stored: unknown) {
  const { url, scheme, host, port, hostport } = storedUrl(stored);
  return { url, public_url: url, proto: scheme, scheme, host, port, hostport };
}

/** The tunnel and its session; they end together with the endpoint, so they are no links. */
function originOf({ parentId, attributes }: ResourceRow, baseUrl: string) {
  const session = attributes.tunnel_session_id;
  return {
    edge: null,
    tunnel: refOrNull(tunnelKind, parentId, baseUrl),
    tunnel_session: refOrNull(tunnelSessionKind, typeof session === 'string' ? session : null, baseUrl),
  };
}

function refOrNull(
  kind: typeof tunnelKind | typeof tunnelSessionKind,
  id: string | null,
  baseUrl: string,
): Ref | null {
  return id === null ? null : { id, uri: uriOf(kind, id, baseUrl) };
}
