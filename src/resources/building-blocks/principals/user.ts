import type { ResourceKind } from '../../framework/definition.js';

/**
 * People. The interface has no operations on them: their path stands in Refs alone. They own API keys and endpoints. The first one
 * is made at the first start.
 */
export const user: ResourceKind = { name: 'user', prefix: 'usr', path: '/users' };
