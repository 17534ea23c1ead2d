/** The state that `/livez` and `/readyz` report. */
export interface Health {
  /**
   * Returns what makes no progress, or null. Any text makes `/livez` fail, which asks for a restart of the process.
   * Always null in a process without workers.
   */
  stalled(): string | null;
  /**
   * A check for each store, by name. It rejects while the store does not respond, which makes `/readyz` fail.
   */
  readonly stores: Readonly<Record<string, () => Promise<unknown>>>;
}
/** The injection token of `Health`. */
export const HEALTH = Symbol('Health');
