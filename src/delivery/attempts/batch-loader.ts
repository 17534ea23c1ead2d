import { MAX_BATCH_BYTES } from '../lanes/batch-limits.js';
import type { BatchDelivery, BatchStore, PrefetchedDeliveries } from '../lanes/batch-store.js';
import type { DestinationConnections, Opened } from './destination-connections.js';
import type { InternalErrorStore } from '../lanes/internal-error-store.js';
import type { Lease } from '../lanes/lane.js';
import { backoffMs } from '../../timing/backoff.js';
import type { RetryPolicy } from './settlement.js';

/** Longest wait after a fault of ours, in milliseconds: it is mended here, so the destination need not be spared for longer. */
const LONGEST_FAULT_BACKOFF_MS = 60_000;

/** A batch of so many records is taken for a sign that more wait. */
const LARGE_BATCH = 100;

/** What a loader works with. */
export interface LoaderParts {
  readonly batches: BatchStore;
  readonly faults: InternalErrorStore;
  readonly connections: DestinationConnections;
  readonly policy: RetryPolicy;
}

/** What is read of a batch before it was claimed. Never fails: undefined where nothing could be read. */
export type Prefetch = Promise<PrefetchedDeliveries | undefined>;

/** A batch that can be sent. */
export interface LoadedBatch {
  readonly deliveries: readonly BatchDelivery[];
  /** Size of their payloads in UTF-16 units, which is bytes for what is mostly ASCII; counting bytes would read every payload again. */
  readonly bytes: number;
  /** The connection is the caller's to release. */
  readonly opened: Opened;
}

/** Gets batches ready to be sent: their deliveries from Postgres, and the connections of their destinations. */
export class BatchLoader {
  constructor(private readonly parts: LoaderParts) {}

  /**
   * Loads a leased batch. What fails here is our fault: it is recorded, unless it is Postgres that fails, and the lane waits before the
   * next run.
   * @param ahead what was read of it before it was claimed; waited for
   * @throws what reading or connecting throws
   */
  async load(lease: Lease, ahead: Prefetch | null): Promise<LoadedBatch> {
    const startedAt = new Date();
    const begun = performance.now();
    try {
      const [deliveries, opened] = await this.readAndConnect(lease, ahead);
      const bytes = deliveries.reduce((sum, { event }) => sum + event.json.length, 0);
      return { deliveries, bytes, opened };
    } catch (error) {
      const { faults, policy } = this.parts;
      const schedule = { ...policy.retry, capMs: Math.min(policy.retry.capMs, LONGEST_FAULT_BACKOFF_MS) };
      const delayMs = backoffMs(schedule, lease.failures + 1, 0);
      const durationMs = Math.round(performance.now() - begun);
      await faults.record(lease, { startedAt, durationMs, delayMs }).catch(() => undefined);
      throw error;
    }
  }

  private async readAndConnect(lease: Lease, ahead: Prefetch | null) {
    const { batches, connections } = this.parts;
    const read = async () => batches.load(lease, (await ahead) ?? undefined);
    const opening = connections.open(lease);
    try {
      return await Promise.all([read(), opening]);
    } catch (error) {
      // Borrowed in vain: an unreleased connection is never closed.
      opening.then((borrowed) => borrowed.kind === 'open' && borrowed.release()).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Begins to read what the lane's next batch will be, while this one is sent. Null when the batch is small: then little waits,
   * and its job ends with it.
   */
  prefetch(lease: Lease, deliveries: readonly BatchDelivery[]): Prefetch | null {
    const last = deliveries.at(-1);
    if (!last || deliveries.length < LARGE_BATCH || lease.failures > 0) return null;
    return this.parts.batches
      .prefetch(lease.destinationId, last.id, deliveries.length, MAX_BATCH_BYTES)
      .catch(() => undefined);
  }
}
