import { defineFamily } from '../../framework/family.js';
import { tunnelSession } from './tunnel-session.js';

/** Tunnel sessions. */
export const tunnelSessions = defineFamily({ definition: tunnelSession });
