import type { ResourceKind } from '../../framework/definition/definition.js';

/**
 * The kind of users, apart from their definition: API keys, endpoints and sessions refer to it. The first user is
 * created at the first start.
 */
export const user: ResourceKind = { name: 'user', prefix: 'usr', path: '/users' };
