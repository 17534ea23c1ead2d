import type { Family } from '../../framework/family.js';
import { tunnelGroupBackend } from './tunnel-group-backend.js';
import { TunnelGroupBackendBehaviour } from './tunnel-group-backend-behaviour.js';

/** Tunnel-group backends. */
export const tunnelGroupBackends = {
  definition: tunnelGroupBackend,
  behaviour: () => new TunnelGroupBackendBehaviour(),
} satisfies Family;
