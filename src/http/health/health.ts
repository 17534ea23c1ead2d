import { tokenOf } from '../../lifecycle/provide.js';

/** The state that `/livez` and `/readyz` report. */
export interface Health {
  /**
   * Returns what makes no progress, or null. Any text makes `/livez` fail, which asks for a restart of the process.
   * Always null in a process without workers.
   */
  stallReason(): string | null;
  /**
   * Returns the clients of targets that are needed and not loaded: their state, by kind of target. `/readyz` shows them
   * and succeeds. Always empty in a process without workers.
   */
  clientsNotLoaded(): Readonly<Record<string, 'loading' | 'failed'>>;
  /** Returns whether the process is stopping, which makes `/readyz` fail. */
  stopping(): boolean;
  /**
   * A check for each store that the process needs, by name. It rejects while the store does not respond or accepts no
   * writes, which makes `/readyz` fail.
   */
  readonly stores: Readonly<Record<string, () => Promise<unknown>>>;
}
/** The injection token of `Health`. */
export const HEALTH = tokenOf<Health>('Health');
