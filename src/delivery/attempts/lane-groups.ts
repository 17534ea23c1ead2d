import { isStoreFailure } from '../../database/store-failure.js';
import { Grouped } from '../../timing/grouped.js';
import { SMALL_BATCH } from '../lanes/batch-limits.js';
import type { DeliveredAttempt } from '../lanes/group-statements.js';
import type { LaneGroupStore, LoadedLease } from '../lanes/lane-group-store.js';
import type { Settlement } from '../lanes/lane.js';
import type { LeaseRequest } from '../lanes/lease.js';
import { LEASE_MS } from './lease-keeper.js';

/**
 * Two statements of each kind at once: the worker holds four connections of the pool. The lanes of one statement bound
 * its result: a small batch of large events holds about a megabyte. The second one begins when it is full, or when the
 * first one is slow: its connection may be lost. Otherwise it would take one lane or two, and cost as much as a group.
 */
const LIMITS = { groups: 2, items: 50, patienceMs: 100 };

/** Leases and settles small batches together with those of other lanes that are due at the same moment. */
export class LaneGroups {
  private readonly leases: Grouped<LeaseRequest, LoadedLease | null>;
  private readonly settlements: Grouped<DeliveredAttempt, boolean>;

  constructor(store: Pick<LaneGroupStore, 'lease' | 'settle'>) {
    const rules = { mayBeOfOne: (error: unknown) => !isStoreFailure(error) };
    this.leases = new Grouped((requests) => store.lease(requests, LEASE_MS), LIMITS, rules);
    this.settlements = new Grouped((attempts) => store.settle(attempts), LIMITS, rules);
  }

  /**
   * Requests the lease of a small batch.
   * @returns null when it must be requested alone
   */
  async lease(request: LeaseRequest): Promise<LoadedLease | null> {
    return this.leases.call(request);
  }

  /**
   * Records an attempt of which `isSmallSuccess` is true.
   * @returns whether it is recorded; otherwise it must be recorded alone
   */
  async settle(attempt: DeliveredAttempt): Promise<boolean> {
    return this.settlements.call(attempt);
  }
}

/** Whether an attempt delivered every delivery of a small batch. */
export function isSmallSuccess({ delivered, undelivered, status, outcome, nextSequence }: Settlement): boolean {
  const isSuccess = status === 'healthy' && outcome === 'healthy' && nextSequence === null;
  return isSuccess && undelivered.length === 0 && delivered.length > 0 && delivered.length <= SMALL_BATCH;
}
