import { backoffMs } from '../../timing/backoff.js';
import { MAX_BATCH_BYTES, MAX_BATCH_RECORDS } from '../lanes/batch-limits.js';
import type { BatchDelivery, BatchStore, PrefetchedDeliveries } from '../lanes/batch-store.js';
import type { InternalErrorStore } from '../lanes/internal-error-store.js';
import type { Lease } from '../lanes/lane.js';
import type { DestinationConnections, OpenedConnection } from './destination-connections.js';
import type { RetryPolicy } from './settlement.js';

/**
 * Longest backoff after an internal error, in milliseconds: the destination is not at fault and needs no rest.
 */
const MAX_INTERNAL_ERROR_BACKOFF_MS = 60_000;

/** Records of a batch from which on more deliveries are expected to wait behind it. */
export const LARGE_BATCH = 100;

/** What a loader works with. */
export interface LoaderParts {
  readonly batches: BatchStore;
  readonly internalErrors: InternalErrorStore;
  readonly connections: DestinationConnections;
  readonly policy: RetryPolicy;
}

/**
 * Deliveries that are being read before their batch is claimed. Never rejects: undefined when the read failed.
 */
export type Prefetch = Promise<PrefetchedDeliveries | undefined>;

/** A batch that can be sent. */
export interface LoadedBatch {
  readonly deliveries: readonly BatchDelivery[];
  /**
   * Length of the payloads in UTF-16 units: equal to bytes for ASCII, and free, while counting bytes reads each payload
   * again.
   */
  readonly bytes: number;
  /** To be released by the caller. */
  readonly opened: OpenedConnection;
}

/** Loads batches: their deliveries from Postgres, and the connections of their destinations. */
export class BatchLoader {
  constructor(private readonly parts: LoaderParts) {}

  /**
   * Loads a leased batch. A failure is recorded as an internal error, unless Postgres itself is down, and the lane
   * backs off.
   * @param prefetch awaited, where there is one
   * @param before awaited before a failure is recorded: the record of the attempt before, under the same lease
   * @throws what reading or connecting throws
   */
  async load(lease: Lease, prefetch: Prefetch | null, before: Promise<unknown> | null): Promise<LoadedBatch> {
    const startedAt = new Date();
    const begun = performance.now();
    try {
      const [deliveries, opened] = await this.readAndConnect(lease, prefetch);
      const bytes = deliveries.reduce((sum, { event }) => sum + event.json.length, 0);
      return { deliveries, bytes, opened };
    } catch (error) {
      const { internalErrors, policy } = this.parts;
      const schedule = {
        ...policy.retry,
        capMs: Math.min(policy.retry.capMs, MAX_INTERNAL_ERROR_BACKOFF_MS),
      };
      const delayMs = backoffMs(schedule, lease.failures + 1, 0);
      const durationMs = Math.round(performance.now() - begun);
      await before?.catch(() => undefined);
      await internalErrors.record(lease, { startedAt, durationMs, delayMs }).catch(() => undefined);
      throw error;
    }
  }

  private async readAndConnect(lease: Lease, prefetch: Prefetch | null) {
    const { batches, connections } = this.parts;
    const read = async () => batches.load(lease, (await prefetch) ?? undefined);
    const opening = connections.open(lease);
    try {
      return await Promise.all([read(), opening]);
    } catch (error) {
      // A borrowed connection that is not released would never be closed.
      opening.then((borrowed) => borrowed.kind === 'open' && borrowed.release()).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Starts to read the deliveries behind a batch. Null when the batch is small: few wait behind it, and its job ends
   * with it.
   */
  prefetch(lease: Lease, deliveries: readonly BatchDelivery[]): Prefetch | null {
    const last = deliveries.at(-1);
    if (!last || deliveries.length < LARGE_BATCH || lease.failures > 0) return null;
    // After a crash, a batch may hold two.
    const limit = Math.min(deliveries.length, MAX_BATCH_RECORDS);
    return this.parts.batches.prefetch(lease.destinationId, last.id, limit, MAX_BATCH_BYTES).catch(() => undefined);
  }
}
