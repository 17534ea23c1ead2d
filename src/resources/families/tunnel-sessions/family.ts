import type { Family } from '../../framework/family.js';
import { tunnelSession } from './tunnel-session.js';

/** Tunnel sessions. */
export const tunnelSessions = { definition: tunnelSession } satisfies Family;
