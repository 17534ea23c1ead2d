import type { ResourceKind } from '../../framework/definition.js';

/**
 * Users own API keys and endpoints. The interface has no operations on users: their path occurs in Refs only. The first
 * user is created at the first start.
 */
export const user: ResourceKind = { name: 'user', prefix: 'usr', path: '/users' };
