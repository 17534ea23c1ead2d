import type { Database } from '../../database/database.js';
import { rowsBy } from './asked-lanes.js';
import { prefetchedDeliveries, type BatchRow, type PrefetchedDeliveries } from './batch-store.js';
import {
  leaseGroupStatement,
  leaseGroupValues,
  settleGroupStatement,
  settleGroupValues,
  type DeliveredAttempt,
  type LeasedRow,
} from './group-statements.js';
import type { Lease } from './lane.js';
import { leaseOf, type LeaseRequest } from './lease.js';

/** A granted lease with the deliveries of its batch. */
export interface LoadedLease {
  readonly lease: Lease;
  readonly deliveries: PrefetchedDeliveries;
}

/**
 * Leases and settlements of several lanes in one statement each. A group does the usual thing in a lane, or nothing:
 * what it leaves is done by the statement for one lane (`LaneStore`). So a group waits for no lock of a lane.
 * docs/delivery.md has the argument.
 */
export class LaneGroupStore {
  constructor(private readonly db: Database) {}

  /**
   * Leases small batches of lanes that do not fail, and reads their deliveries.
   * @param leaseMs how long each lease lasts unless it is renewed, in milliseconds
   * @returns for each request, in order: the lease, or null when the group leaves the lane
   */
  async lease(requests: readonly LeaseRequest[], leaseMs: number): Promise<readonly (LoadedLease | null)[]> {
    const rows = await leaseGroupStatement.execute(this.db, leaseGroupValues(requests, leaseMs));
    const readAt = performance.now();
    const byToken = rowsBy(rows, ({ token }) => token);
    return requests.map((request) => {
      const leased = byToken.get(request.token);
      const [first] = leased ?? [];
      if (!leased || !first) return null;
      const deliveries = prefetchedDeliveries(leased.filter(hasDelivery), readAt);
      return { lease: leaseOf(request, first), deliveries };
    });
  }

  /**
   * Records attempts that delivered every delivery of their batch, and frees their lanes (`LaneStore.settle`).
   * @returns for each attempt, in order: whether it is recorded; otherwise the group leaves the lane
   */
  async settle(attempts: readonly DeliveredAttempt[]): Promise<readonly boolean[]> {
    const rows = await settleGroupStatement.execute(this.db, settleGroupValues(attempts));
    const settled = new Set(rows.map(({ token }) => token));
    return attempts.map(({ lease }) => settled.has(lease.token));
  }
}

function hasDelivery(row: LeasedRow): row is LeasedRow & BatchRow {
  return row.id !== null;
}
