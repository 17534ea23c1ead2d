import { defineFamily } from '../../framework/definition/family.js';
import { tunnelSession } from './tunnel-session.js';

/** Tunnel sessions. */
export const tunnelSessions = defineFamily({ definition: tunnelSession });
