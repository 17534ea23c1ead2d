import { KeyRingError } from '../../secrets/key-ring.js';
import { ConnectionCache } from '../../targets/connection-cache.js';
import type { Connection, Outcome, Target, TargetKind, TargetSettings } from '../../targets/target.js';
import type { DestinationStore } from './destination-store.js';
import type { Lease } from '../lanes/lane.js';

/**
 * Connections that a process keeps open: one is an SDK client of about 40 KB; sockets are shared. With more destinations in turn than
 * this, each batch opens its own, which costs as much CPU as sending it.
 */
const MOST_CONNECTIONS = 2_000;

/** A connection for one attempt, or why there is none. */
export type Opened =
  /** `release` is called once when the attempt is over. */
  | { readonly kind: 'open'; readonly connection: Connection; readonly release: () => void }
  /** `outcome` is that of every delivery; `error` is for the operator. */
  | { readonly kind: 'unusable'; readonly outcome: Outcome; readonly error: Error };

/** The connections of destinations: one for each destination and version of its configuration. */
export class DestinationConnections {
  private readonly targetOf: (kind: TargetKind) => Target;
  private readonly cache = new ConnectionCache({ max: MOST_CONNECTIONS });

  constructor(
    private readonly store: DestinationStore,
    targetOf: (kind: TargetKind) => Target,
    private readonly settings: TargetSettings,
  ) {
    this.targetOf = targetOf;
  }

  /**
   * The connection of the leased lane's destination. Unusable when its stored configuration is not valid any more, or when one of
   * its secrets does not open: that belongs to this destination, which must show it, and its deadlines run on.
   * @throws what loading the configuration throws: a store that is down
   */
  async open(lease: Lease): Promise<Opened> {
    try {
      return { kind: 'open', ...(await this.cache.borrow(lease, () => this.connect(lease))) };
    } catch (error) {
      if (error instanceof UnusableConfiguration) {
        const reason = { code: 'configuration_unusable', message: error.message };
        return { kind: 'unusable', outcome: { kind: 'misconfigured', reason }, error };
      }
      // Perhaps only this worker lacks the key, in the middle of a rotation: another one may have it, soon.
      if (error instanceof KeyRingError)
        return { kind: 'unusable', outcome: { kind: 'retry', reason: secretUnreadable }, error };
      throw error;
    }
  }

  private async connect({ accountId, destinationId }: Lease): Promise<Connection> {
    const stored = await this.store.load(accountId, destinationId);
    if (!stored) throw new UnusableConfiguration('the destination was deleted');
    // Without it nothing would keep another destination from using the role.
    if (stored.externalId === '') throw new UnusableConfiguration('its role has no external id');
    const target = this.targetOf(stored.kind);
    await target.prepare?.();
    const config = target.config.safeParse(stored.member);
    if (!config.success) {
      const fields = config.error.issues.map(({ path }) => ['target', stored.kind, ...path].join('.'));
      throw new UnusableConfiguration(`not valid: ${[...new Set(fields)].join(', ')}`);
    }
    const context = { destinationId, externalId: stored.externalId ?? '', settings: this.settings };
    return target.connect(config.data, context);
  }

  /** Loads the clients of the targets in use, which takes long for one of them, before there is anything to deliver. */
  async prepare(): Promise<void> {
    const kinds = await this.store.kindsInUse();
    for (const kind of kinds) await this.targetOf(kind).prepare?.();
  }

  /** Closes every connection; those in use, when their attempt is over. */
  async close(): Promise<void> {
    await this.cache.close();
  }
}

const secretUnreadable = {
  code: 'secret_unreadable',
  message:
    'Waybill cannot open the stored secret of the destination: its operator has to look into the key ring. Giving the secret anew mends it too.',
};

class UnusableConfiguration extends Error {
  override readonly name = 'UnusableConfiguration';

  constructor(what: string) {
    super(`The stored configuration cannot be used (${what}). Update the destination’s target.`);
  }
}
