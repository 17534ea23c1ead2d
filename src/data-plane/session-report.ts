import { z } from 'zod';
import { boundedBytes, boundedString } from '../bounds/bounded.js';
import { describable } from '../http/input/text.js';
import { endpointUrl, parseEndpointUrl, protocols } from '../resources/families/endpoints/endpoint-url.js';
import { bindings, endpointPolicy } from '../resources/families/endpoints/endpoint.js';
import { labels } from '../resources/families/tunnel-group-backends/tunnel-group-backend.js';

/** Most tunnels of one session: one transaction writes all changes of a report. */
const MAX_TUNNELS = 100;
/** Longest lease, in seconds. */
const MAX_TTL = 3_600;

/** Text of the agent, returned as reported. Null when absent. */
const agentText = (most: number) => boundedBytes(most).nullable().default(null);

/** Duration of the lease of a session, in seconds. */
export const ttl = z.int().min(1).max(MAX_TTL);

/** Fields of the endpoint of a tunnel. Allowed only with a public URL. */
const endpointMembers = {
  proto: z.enum(protocols).optional(),
  description: describable.description.optional(),
  traffic_policy: endpointPolicy.optional(),
  bindings: bindings.optional(),
  pooling_enabled: z.boolean().optional(),
  upstream_protocol: boundedBytes(32).nullish(),
};

const tunnelReport = z
  .strictObject({
    /** Name from the agent: identifies a tunnel of a session across reports. */
    name: boundedBytes(255).min(1),
    forwards_to: agentText(1_024),
    metadata: agentText(4_096),
    labels: labels.optional(),
    public_url: endpointUrl.optional(),
    ...endpointMembers,
  })
  .superRefine((tunnel, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if ((tunnel.labels === undefined) === (tunnel.public_url === undefined)) {
      refuse('public_url', 'is required without labels, and not allowed with labels');
    }
    if (tunnel.public_url === undefined) {
      for (const name of Object.keys(endpointMembers)) {
        if (name in tunnel) refuse(name, 'is allowed only with public_url');
      }
      return;
    }
    const url = parseEndpointUrl(tunnel.public_url);
    if (tunnel.proto !== undefined && 'url' in url && tunnel.proto !== url.scheme) {
      refuse('proto', 'must be the scheme of public_url, or be left out');
    }
  });

/** One tunnel in a report of the data plane. */
export type TunnelReport = z.output<typeof tunnelReport>;

/** A report of the data plane: the whole state of a tunnel session. */
export const sessionReport = z.strictObject({
  account_id: boundedString(255),
  /** The user or bot that the agent runs for. */
  principal_id: boundedString(255).nullable().default(null),
  ttl_seconds: ttl,
  region: boundedString(32).regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be the name of a region, such as eu'),
  agent_version: agentText(64),
  ip: agentText(64),
  os: agentText(64),
  transport: agentText(64),
  metadata: agentText(4_096),
  tunnels: z
    .array(tunnelReport)
    .max(MAX_TUNNELS)
    .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, {
      error: 'must not have two tunnels with the same name',
    })
    .default([]),
});
export type SessionReport = z.output<typeof sessionReport>;
