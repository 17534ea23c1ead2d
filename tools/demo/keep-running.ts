import { once } from 'node:events';
import { takeStopSignals } from '../../src/stop-signals.js';

/**
 * Waits for Ctrl+C or SIGTERM. The same signal from the terminal and from npm counts as one; a later one ends the
 * process with exit code 1.
 */
export async function untilStopped(): Promise<void> {
  await once(takeStopSignals(), 'abort');
}
