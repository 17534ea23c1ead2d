import { defineFamily } from '../../framework/family.js';
import { tunnel } from './tunnel.js';
import { TunnelBehaviour } from './tunnel-behaviour.js';

/** Tunnels. */
export const tunnels = defineFamily({
  definition: tunnel,
  behaviour: { create: () => new TunnelBehaviour() },
});
