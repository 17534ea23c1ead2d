import { ConnectionCache } from '../targets/connection-cache.js';
import type { Connection, Reason, Target, TargetKind, TargetSettings } from '../targets/target.js';
import type { DestinationStore } from './destination-store.js';
import type { Lease } from './lane-store.js';

/** Connections that a process keeps open: one is an SDK client; sockets are shared. */
const MOST_CONNECTIONS = 500;

/** A connection for one attempt, or why there is none. */
export type Opened =
  /** `release` is called once when the attempt is over. */
  | { readonly kind: 'open'; readonly connection: Connection; readonly release: () => void }
  | { readonly kind: 'unusable'; readonly reason: Reason };

/** The connections of destinations: one for each destination and version of its configuration. */
export class DestinationConnections {
  readonly #store: DestinationStore;
  readonly #targetOf: (kind: TargetKind) => Target;
  readonly #settings: TargetSettings;
  readonly #cache = new ConnectionCache({ max: MOST_CONNECTIONS });

  constructor(store: DestinationStore, targetOf: (kind: TargetKind) => Target, settings: TargetSettings) {
    this.#store = store;
    this.#targetOf = targetOf;
    this.#settings = settings;
  }

  /**
   * The connection of the leased lane's destination. Unusable when its stored configuration is not valid any more.
   * @throws what loading the configuration throws: a store that is down, a secret that does not open
   */
  async open(lease: Lease): Promise<Opened> {
    try {
      return { kind: 'open', ...(await this.#cache.borrow(lease, () => this.#connect(lease))) };
    } catch (error) {
      if (error instanceof UnusableConfiguration) return { kind: 'unusable', reason: error.reason };
      throw error;
    }
  }

  async #connect({ accountId, destinationId }: Lease): Promise<Connection> {
    const stored = await this.#store.load(accountId, destinationId);
    if (!stored) throw new UnusableConfiguration('the destination was deleted');
    const target = this.#targetOf(stored.kind);
    const config = target.config.safeParse(stored.member);
    if (!config.success) {
      const fields = config.error.issues.map(({ path }) => ['target', stored.kind, ...path].join('.'));
      throw new UnusableConfiguration(`not valid: ${[...new Set(fields)].join(', ')}`);
    }
    const context = { destinationId, externalId: stored.externalId, settings: this.#settings };
    return target.connect(config.data, context);
  }

  /** Closes every connection; those in use, when their attempt is over. */
  async close(): Promise<void> {
    await this.#cache.close();
  }
}

class UnusableConfiguration extends Error {
  override readonly name = 'UnusableConfiguration';
  readonly reason: Reason;

  constructor(what: string) {
    const message = `The stored configuration cannot be used (${what}). Update the destination’s target.`;
    super(message);
    this.reason = { code: 'configuration_unusable', message };
  }
}
