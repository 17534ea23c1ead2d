import { z } from 'zod';
import { boundedBytes } from '../../../bounds/bounded.js';
import { kinds } from '../../building-blocks/kinds.js';
import { defineResource } from '../../framework/definition/definition.js';
import { identity, ref } from '../../framework/definition/fields.js';
import { refTo } from '../../framework/definition/links.js';
import { protocols, storedUrl } from '../endpoints/endpoint-url.js';

/** Tunnels of agents that are online. The data plane reports them: clients can only read them. */
export const tunnel = defineResource({
  ...kinds.tunnel,
  title: { one: 'tunnel', many: 'tunnels' },
  summary:
    'A connection to one upstream through an online agent. An ephemeral tunnel has a public URL and an endpoint; a backend tunnel has labels that tunnel-group backends match.',
  operations: ['list', 'get'],
  costlyList: true,
  read: z.object({
    ...identity,
    public_url: z
      .string()
      .nullable()
      .meta({ description: 'Public URL of an ephemeral tunnel. Null for a backend tunnel.' }),
    started_at: z.iso.datetime().meta({ description: 'When the tunnel came online, RFC 3339.' }),
    metadata: boundedBytes(4096)
      .nullable()
      .meta({ description: 'User-supplied metadata from the agent configuration.' }),
    proto: z.enum(protocols).nullable().meta({ description: 'Protocol of the public URL. Null for a backend tunnel.' }),
    region: z.string().meta({ description: 'Region where the tunnel runs.', example: 'eu' }),
    tunnel_session: ref,
    endpoint: ref.nullable().meta({ description: 'Endpoint of an ephemeral tunnel. Null for a backend tunnel.' }),
    labels: z
      .record(z.string(), z.string())
      .meta({ description: 'Labels that tunnel-group backends match. Empty for an ephemeral tunnel.' }),
    backends: z.array(ref).meta({
      description: 'Tunnel-group backends that the tunnel serves, newest first, at most 100.',
    }),
    forwards_to: z
      .string()
      .nullable()
      .meta({ description: 'Upstream address that the agent forwards to: a URL or a network address.' }),
  }),
  derive: ({ created_at, parent_id, attributes }, baseUrl) => ({
    started_at: created_at.toISOString(),
    proto: attributes.public_url == null ? null : storedUrl(attributes.public_url).scheme,
    tunnel_session: refTo([kinds.tunnelSession], parent_id, baseUrl),
    endpoint: refTo([kinds.endpoint], attributes.endpoint_id, baseUrl),
  }),
});
