import { z } from 'zod';
import { bytes } from '../../../http/text.js';
import { endpoint } from '../endpoints/endpoint.js';
import { protocols, storedUrl } from '../endpoints/endpoint-url.js';
import { defineResource } from '../../framework/definition.js';
import { identity, ref } from '../../framework/fields.js';
import { uriOf } from '../../framework/links.js';
import { tunnelKind, tunnelSessionKind } from '../../building-blocks/tunnels/kinds.js';

/** Tunnels of agents that are online. The data plane reports them: clients can only read them. */
export const tunnel = defineResource({
  ...tunnelKind,
  listKey: 'tunnels',
  title: { one: 'tunnel', many: 'tunnels' },
  summary:
    'A way to one upstream through an agent that is online: either of a public URL, as an ephemeral endpoint, or with labels, as a member of tunnel groups.',
  operations: ['list', 'get'],
  create: z.strictObject({}),
  update: z.strictObject({}),
  read: z
    .object({
      ...identity,
      public_url: z
        .string()
        .nullable()
        .meta({ description: 'Public URL, for tunnels that the agent has given one.' }),
      started_at: z.iso.datetime().meta({ description: 'When it came online, RFC 3339.' }),
      metadata: bytes(4096).nullable().meta({ description: 'As the agent is configured.' }),
      proto: z.enum(protocols).nullable().meta({ description: 'Protocol of the public URL.' }),
      region: z.string().meta({ description: 'Region where it runs.', example: 'eu' }),
      tunnel_session: ref,
      endpoint: ref.nullable().meta({ description: 'The ephemeral endpoint of a tunnel with a public URL.' }),
      labels: z
        .record(z.string(), z.string())
        .meta({ description: 'What tunnel groups match; empty for a tunnel with a public URL.' }),
      backends: z.array(ref).meta({
        description: 'The tunnel-group backends that it serves, the newest 100 of them, newest first.',
      }),
      forwards_to: z
        .string()
        .nullable()
        .meta({ description: 'Upstream that the agent forwards to: a URL or a network address.' }),
    })
    .meta({ id: 'Tunnel' }),
  derive: ({ createdAt, parentId, attributes }, baseUrl) => ({
    started_at: createdAt.toISOString(),
    proto: attributes.public_url == null ? null : storedUrl(attributes.public_url).scheme,
    tunnel_session: {
      id: parentId ?? '',
      uri: uriOf(tunnelSessionKind, parentId ?? '', baseUrl),
    },
    endpoint:
      typeof attributes.endpoint_id === 'string'
        ? { id: attributes.endpoint_id, uri: uriOf(endpoint, attributes.endpoint_id, baseUrl) }
        : null,
  }),
});
