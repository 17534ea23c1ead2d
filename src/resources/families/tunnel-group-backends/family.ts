import { defineFamily } from '../../framework/definition/family.js';
import { TunnelGroupBackendBehaviour } from './tunnel-group-backend-behaviour.js';
import { tunnelGroupBackend } from './tunnel-group-backend.js';

/** Tunnel-group backends. */
export const tunnelGroupBackends = defineFamily({
  definition: tunnelGroupBackend,
  behaviour: { create: () => new TunnelGroupBackendBehaviour() },
});
