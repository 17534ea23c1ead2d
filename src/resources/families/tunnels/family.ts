import { defineFamily } from '../../framework/definition/family.js';
import { TunnelBehaviour } from './tunnel-behaviour.js';
import { tunnel } from './tunnel.js';

/** Tunnels. */
export const tunnels = defineFamily({
  definition: tunnel,
  behaviour: { create: () => new TunnelBehaviour() },
});
