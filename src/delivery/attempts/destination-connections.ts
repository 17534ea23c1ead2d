import { KeyRingError } from '../../secrets/key-ring.js';
import { ConnectionCache } from '../../targets/connection-cache.js';
import type { Connection, Outcome, Target, TargetKind, TargetSettings } from '../../targets/target.js';
import type { Lease } from '../lanes/lane.js';
import type { DestinationStore } from './destination-store.js';

/**
 * Connections that a process keeps open. A connection is an SDK client of about 40 KB; sockets are shared. Opening one
 * costs as much CPU as sending a batch.
 */
const MAX_CONNECTIONS = 2_000;

/** A connection for one attempt, or the reason why there is none. */
export type OpenedConnection =
  /** `release` is called once at the end of the attempt. */
  | { readonly kind: 'open'; readonly connection: Connection; readonly release: () => void }
  /** `outcome` is the outcome of every delivery; `error` is for the log. */
  | { readonly kind: 'unusable'; readonly outcome: Outcome; readonly error: Error };

/** Caches the connections of destinations: one for each destination and version. */
export class DestinationConnections {
  private readonly cache = new ConnectionCache({ max: MAX_CONNECTIONS });

  constructor(
    private readonly store: DestinationStore,
    private readonly targetOf: (kind: TargetKind) => Target,
    private readonly settings: TargetSettings,
  ) {}

  /**
   * Opens the connection of a leased lane's destination. It is unusable when the stored configuration is invalid, or
   * when one of its secrets cannot be decrypted: the destination's status shows that, and its deadlines apply.
   * @throws what loading the configuration throws, when a store is down
   */
  async open(lease: Lease): Promise<OpenedConnection> {
    const { destinationId, epochs } = lease;
    // A restore or a failover may undo a version and begins an epoch: then another configuration has the same version.
    const version = `${epochs.epoch} ${lease.version}`;
    try {
      return {
        kind: 'open',
        ...(await this.cache.borrow({ destinationId, version }, () => this.connect(lease))),
      };
    } catch (error) {
      if (error instanceof UnusableConfiguration) {
        const reason = { code: 'configuration_unusable', message: error.message };
        return { kind: 'unusable', outcome: { kind: 'misconfigured', reason }, error };
      }
      // During a key rotation, only this worker may lack the key. Hence a retry.
      if (error instanceof KeyRingError)
        return { kind: 'unusable', outcome: { kind: 'retry', reason: secretUnreadable }, error };
      throw error;
    }
  }

  private async connect({ accountId, destinationId }: Lease): Promise<Connection> {
    const stored = await this.store.load(accountId, destinationId);
    if (!stored) throw new UnusableConfiguration('the destination was deleted');
    // Without an external id, another destination could use the role.
    if (stored.externalId === '') throw new UnusableConfiguration('its role has no external id');
    const target = this.targetOf(stored.kind);
    const config = target.config.safeParse(stored.member);
    if (!config.success) {
      const fields = config.error.issues.map(({ path }) => ['target', stored.kind, ...path].join('.'));
      throw new UnusableConfiguration(`not valid: ${[...new Set(fields)].join(', ')}`);
    }
    const context = { destinationId, externalId: stored.externalId ?? '', settings: this.settings };
    return target.connect(config.data, context);
  }

  /** Closes every connection; those in use at the end of their attempt. */
  async close(): Promise<void> {
    await this.cache.close();
  }
}

const secretUnreadable = {
  code: 'secret_unreadable',
  message:
    'Waybill cannot decrypt the stored secret of the destination. Set the secret again, or have the operator check the key ring.',
};

class UnusableConfiguration extends Error {
  override readonly name = 'UnusableConfiguration';

  constructor(reason: string) {
    super(`The stored configuration cannot be used (${reason}). Update the destination’s target.`);
  }
}
