import type { Family } from '../../framework/family.js';
import { tunnel } from './tunnel.js';
import { TunnelBehaviour } from './tunnel-behaviour.js';

/** Tunnels. */
export const tunnels = { definition: tunnel, behaviour: () => new TunnelBehaviour() } satisfies Family;
