import type { ResourceKind } from '../../framework/definition/definition.js';

/**
 * The kind of tunnel sessions, apart from their definition: sessions, tunnels and endpoints refer to each other.
 */
export const tunnelSessionKind = {
  name: 'tunnel_session',
  prefix: 'ts',
  path: '/tunnel_sessions',
} as const satisfies ResourceKind;

/** The kind of tunnels. */
export const tunnelKind = { name: 'tunnel', prefix: 'tn', path: '/tunnels' } as const satisfies ResourceKind;
