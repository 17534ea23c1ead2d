import { defineFamily } from '../../framework/family.js';
import { tunnelGroupBackend } from './tunnel-group-backend.js';
import { TunnelGroupBackendBehaviour } from './tunnel-group-backend-behaviour.js';

/** Tunnel-group backends. */
export const tunnelGroupBackends = defineFamily({
  definition: tunnelGroupBackend,
  behaviour: { create: () => new TunnelGroupBackendBehaviour() },
});
