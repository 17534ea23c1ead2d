import { z } from 'zod';
import { bytes, describable } from '../http/text.js';
import { bindings, endpointPolicy } from '../resources/families/endpoints/endpoint.js';
import { endpointUrl, parseEndpointUrl, protocols } from '../resources/families/endpoints/endpoint-url.js';
import { labels } from '../resources/families/tunnel-group-backends/tunnel-group-backend.js';

/** Most tunnels of one session: what a report changes is written in one transaction. */
const MAX_TUNNELS = 100;
/** Longest lease, in seconds. */
const MAX_TTL = 3_600;

/** Text of the agent's that is shown as it came; null when it says nothing. */
const said = (most: number) => bytes(most).nullable().default(null);

/** For how long a report is true unless it is made again. */
export const ttl = z.int().min(1).max(MAX_TTL);

/** What only a tunnel with a public URL can have: its endpoint's. */
const endpointMembers = {
  proto: z.enum(protocols).optional(),
  description: describable.description.optional(),
  traffic_policy: endpointPolicy.optional(),
  bindings: bindings.optional(),
  pooling_enabled: z.boolean().optional(),
  upstream_protocol: bytes(32).nullish(),
};

const tunnelReport = z
  .strictObject({
    /** What the agent calls it: tells the tunnels of a session apart from one report to the next. */
    name: bytes(255).min(1),
    forwards_to: said(1_024),
    metadata: said(4_096),
    labels: labels.optional(),
    public_url: endpointUrl.optional(),
    ...endpointMembers,
  })
  .superRefine((tunnel, context) => {
    const complain = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if ((tunnel.labels === undefined) === (tunnel.public_url === undefined)) {
      complain('public_url', 'must be given where there are no labels, and only there');
    }
    if (tunnel.public_url === undefined) {
      for (const name of Object.keys(endpointMembers)) {
        if (name in tunnel) complain(name, 'goes with a public_url only');
      }
      return;
    }
    const url = parseEndpointUrl(tunnel.public_url);
    if (tunnel.proto !== undefined && 'url' in url && tunnel.proto !== url.scheme) {
      complain('proto', 'must be left out or be the scheme of public_url');
    }
  });

/** One tunnel as the data plane reports it. */
export type TunnelReport = z.output<typeof tunnelReport>;

/** A tunnel session as the data plane reports it: all that there is of it, each time. */
export const sessionReport = z.strictObject({
  account_id: z.string().max(255),
  /** The user or bot that the agent runs for. */
  principal_id: z.string().max(255).nullable().default(null),
  ttl_seconds: ttl,
  region: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be the name of a region, such as eu'),
  agent_version: said(64),
  ip: said(64),
  os: said(64),
  transport: said(64),
  metadata: said(4_096),
  tunnels: z
    .array(tunnelReport)
    .max(MAX_TUNNELS)
    .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, {
      error: 'must not have two tunnels of the same name',
    })
    .default([]),
});
export type SessionReport = z.output<typeof sessionReport>;
