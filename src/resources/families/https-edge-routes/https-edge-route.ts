import { z } from 'zod';
import { describable, describableInput } from '../../../http/input/text.js';
import { backendModule } from '../../building-blocks/edge-modules/backend-module.js';
import { ipRestrictionModule } from '../../building-blocks/edge-modules/ip-restriction-module.js';
import { trafficPolicyModule } from '../../building-blocks/edge-modules/traffic-policy-module.js';
import { kinds } from '../../building-blocks/kinds.js';
import { defineResource } from '../../framework/definition/definition.js';
import { createdAt, identity } from '../../framework/definition/fields.js';
import { moduleCreateInputs, moduleInputs, moduleReads } from '../../framework/definition/modules.js';
import { circuitBreakerModule } from './circuit-breaker-module.js';
import { requestHeadersModule, responseHeadersModule } from './header-modules.js';
import { match, matchType } from './match.js';
import { oauthModule } from './oauth-module.js';
import { oidcModule } from './oidc-module.js';
import { samlModule } from './saml-module.js';
import { compressionModule, websocketTcpConverterModule } from './switch-modules.js';
import { userAgentFilterModule } from './user-agent-filter-module.js';
import { webhookVerificationModule } from './webhook-verification-module.js';

const modules = [
  backendModule,
  ipRestrictionModule,
  circuitBreakerModule,
  compressionModule,
  requestHeadersModule,
  responseHeadersModule,
  webhookVerificationModule,
  oauthModule,
  samlModule,
  oidcModule,
  websocketTcpConverterModule,
  userAgentFilterModule,
  trafficPolicyModule('HTTP'),
];

/** Routes of an HTTPS edge: modules for the requests that match. */
export const httpsEdgeRoute = defineResource({
  ...kinds.httpsEdgeRoute,
  title: { one: 'HTTPS edge route', many: 'HTTPS edge routes' },
  summary: 'Applies its modules to the matching requests of an edge and forwards the requests to its backend.',
  create: z.strictObject({ ...describableInput, match_type: matchType, match, ...moduleCreateInputs(modules) }),
  update: z.strictObject({
    ...describableInput,
    match_type: matchType.optional(),
    match: match.optional(),
    ...moduleInputs(modules),
  }),
  read: z.object({
    ...identity,
    created_at: createdAt,
    edge_id: z.string().meta({ description: 'Id of the edge that the route belongs to.' }),
    match_type: matchType,
    match,
    ...describable,
    ...moduleReads(modules),
  }),
  parent: { parameter: 'edge_id', kind: kinds.httpsEdge, title: 'HTTPS edge' },
  derive: ({ parent_id }) => ({ edge_id: parent_id }),
  modules,
  unique: [
    {
      index: 'https_edge_routes_by_match',
      detail: ({ match_type, match: value }) =>
        `Another route of this edge has the same match_type${typeof match_type === 'string' ? ` ${match_type}` : ''} and match` +
        `${typeof value === 'string' ? ` ${JSON.stringify(value)}` : ''}.`,
    },
  ],
});
