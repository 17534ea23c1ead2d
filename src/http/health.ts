/** What `/livez` and `/readyz` ask. */
export interface Health {
  /**
   * What has stopped making progress, or null when all is well. Asked by `/livez`: an answer other than null asks for a restart.
   * An API process without workers has nothing to say here: that it answers at all is its progress.
   */
  stalled(): string | null;
  /** The stores that must answer before requests are sent here, by name; each rejects when its store does not. */
  readonly stores: Readonly<Record<string, () => Promise<unknown>>>;
}
/** The injection token of `Health`. */
export const HEALTH = Symbol('Health');
