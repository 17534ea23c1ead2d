/** What a program may not wait for after Ctrl-C: timers of this length or longer, in milliseconds. */
const LONG_MS = 2_000;

const guard = `
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import timers from 'node:timers';
import promises from 'node:timers/promises';

let interrupted = false;
process.once('SIGINT', () => { interrupted = true; });
const isLost = (ms) => interrupted && ms >= ${LONG_MS};

const setLater = timers.setTimeout;
const guarded = (call, ms, ...given) => setLater((...args) => { if (!isLost(ms)) call(...args); }, ms, ...given);
globalThis.setTimeout = timers.setTimeout = Object.assign(guarded, setLater);

const later = promises.setTimeout;
promises.setTimeout = async (ms, ...given) => {
  const value = await later(ms, ...given);
  return isLost(ms) ? new Promise(() => {}) : value;
};

const onTimeout = net.Socket.prototype._onTimeout;
net.Socket.prototype._onTimeout = function () { if (!isLost(this.timeout)) onTimeout.call(this); };
syncBuiltinESMExports();
`;

/**
 * Options of Node for a program whose timers of two seconds or longer have no effect after SIGINT: those of setTimeout,
 * and those of sockets. It ends only if it does not wait for one of them. This holds on a machine of any speed.
 */
export const withoutLongTimers: readonly string[] = ['--import', `data:text/javascript,${encodeURIComponent(guard)}`];
