import { apiKeys } from './api-keys/family.js';
import { botUsers } from './bot-users/family.js';
import { eventDestinations } from './event-destinations/family.js';
import { eventSubscriptions } from './event-subscriptions/family.js';
import type { Family } from './framework/family.js';
import { httpsEdgeRoutes } from './https-edge-routes/family.js';
import { httpsEdges } from './https-edges/family.js';
import { ipPolicies } from './ip-policies/family.js';
import { ipPolicyRules } from './ip-policy-rules/family.js';

/** Every family there is: routes, OpenAPI and the event catalogue follow from this list. */
export const families = [
  apiKeys,
  botUsers,
  ipPolicies,
  ipPolicyRules,
  eventSubscriptions,
  eventDestinations,
  httpsEdges,
  httpsEdgeRoutes,
] as const satisfies readonly Family[];
