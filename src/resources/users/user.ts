import type { ResourceKind } from '../framework/definition.js';

/** People. The interface has no operations on them; they own API keys. The first one is made at the first start. */
export const user: ResourceKind = { name: 'user', prefix: 'usr', path: null };
