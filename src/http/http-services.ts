import type { Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import type { Logger } from '../logging/logger.js';
import type { KeyRing } from '../secrets/key-ring.js';
import type { RequestObserver } from './request-observer.js';

/** What the HTTP layer stands on. */
export interface HttpServices {
  readonly config: Config;
  readonly logger: Logger;
  readonly db: Database;
  readonly keyRing: KeyRing;
  readonly health: Health;
  /** Is told of every answer; absent where nothing is measured. */
  readonly observer?: RequestObserver | null;
}

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
