import type { ResourceKind } from '../../framework/definition.js';

/** How tunnel sessions are named and addressed; apart from their definition because what refers to them is part of it. */
export const tunnelSessionKind = {
  name: 'tunnel_session',
  prefix: 'ts',
  path: '/tunnel_sessions',
} as const satisfies ResourceKind;

/** How tunnels are named and addressed. */
export const tunnelKind = { name: 'tunnel', prefix: 'tn', path: '/tunnels' } as const satisfies ResourceKind;
