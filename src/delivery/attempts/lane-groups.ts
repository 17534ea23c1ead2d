import { isStoreFailure } from '../../database/store-failure.js';
import { Grouped } from '../../timing/grouped.js';
import { SMALL_BATCH } from '../lanes/batch-limits.js';
import type { LaneStore } from '../lanes/lane-store.js';
import type { SettleResult, Settlement } from '../lanes/lane.js';
import type { LeaseRequest, LoadedLease } from '../lanes/lease.js';
import type { EndedAttempt } from '../lanes/settle-statement.js';
import { LEASE_MS } from './lease-keeper.js';

/**
 * Two statements of each kind at once: the worker holds four connections of the pool. The lanes of one statement bound
 * its result: a small batch of large events holds about a megabyte. The second one begins when it is full, or when the
 * first one is slow: its connection may be lost. Otherwise it would take one lane or two, and cost as much as a group.
 */
const LIMITS = { groups: 2, items: 50, patienceMs: 100 };

/** Leases batches and settles small ones together with those of other lanes that are due at the same moment. */
export class LaneGroups {
  private readonly leases: Grouped<LeaseRequest, LoadedLease | null>;
  private readonly settlements: Grouped<EndedAttempt, SettleResult | null>;

  constructor(lanes: Pick<LaneStore, 'leaseGroup' | 'settleGroup'>) {
    const rules = { mayBeOfOne: (error: unknown) => !isStoreFailure(error) };
    this.leases = new Grouped((requests) => lanes.leaseGroup(requests, LEASE_MS), LIMITS, rules);
    this.settlements = new Grouped((attempts) => lanes.settleGroup(attempts), LIMITS, rules);
  }

  /**
   * Requests the lease of a batch.
   * @returns null when it must be requested alone, without its deliveries: also when they cannot be read
   * @throws while the store is down
   */
  async lease(request: LeaseRequest): Promise<LoadedLease | null> {
    try {
      return await this.leases.call(request);
    } catch (error) {
      if (isStoreFailure(error)) throw error;
      return null;
    }
  }

  /**
   * Records an attempt of which `isForGroup` is true.
   * @returns null when it must be recorded alone
   */
  async settle(attempt: EndedAttempt): Promise<SettleResult | null> {
    return this.settlements.call(attempt);
  }
}

/** Whether an attempt at a small batch starts no backoff. */
export function isForGroup({ delivered, undelivered, delayMs }: Settlement): boolean {
  return delayMs === null && delivered.length + undelivered.length <= SMALL_BATCH;
}
