import type { Database } from '../../database/database.js';
import { advanceStatement, advanceValues, type AdvanceStatement } from './advance-statement.js';
import { limitsTable, type LimitsByKind } from './batch-limits.js';
import type { DeliveredAttempt } from './group-statements.js';
import type { Lease } from './lane.js';

/** The result of an advance. */
export type AdvanceResult =
  /** `next`: the lease on the batch behind the one that is sent; null when none was claimed. */
  | { readonly kind: 'advanced'; readonly next: Lease | null }
  /** Nothing was written: the lease was lost to a later attempt, or nothing was to record and nothing waits. */
  | { readonly kind: 'unchanged' };

/**
 * Claims batches ahead: the lane's row holds the batch that is sent and the one behind it, so that the former one is
 * recorded during the call. docs/delivery.md has the argument.
 */
export class AheadStore {
  private readonly recording: AdvanceStatement;
  private readonly claiming: AdvanceStatement;

  /** @param limits the limits of a claim, for each kind of target */
  constructor(
    private readonly db: Database,
    limits: LimitsByKind,
  ) {
    this.recording = advanceStatement(limitsTable(limits), true);
    this.claiming = advanceStatement(limitsTable(limits), false);
  }

  /**
   * Records the attempt before the one that is being made, and claims the batch behind it, in one statement. The lane
   * then has the batch that is sent, with the claimed deliveries at its end.
   * @param current the attempt that is being made, the first one at its batch
   * @param delivered the attempt before it, which delivered every delivery and has the same token; null: none is to
   * record
   * @param nextBatchId the id that the claimed batch gets when the current one is recorded; null: claims none
   * @param leaseMs how long the lease lasts unless it is renewed, in milliseconds
   */
  async advance(
    current: Lease,
    delivered: DeliveredAttempt | null,
    nextBatchId: string | null,
    leaseMs: number,
  ): Promise<AdvanceResult> {
    const statement = delivered ? this.recording : this.claiming;
    const values = advanceValues(current, delivered, nextBatchId !== null, leaseMs);
    const [row] = await statement.execute(this.db, values);
    if (!row) return { kind: 'unchanged' };
    if (nextBatchId === null || row.delivery_ids === null) return { kind: 'advanced', next: null };
    const { delivery_ids: deliveryIds, first_sequence: firstSequence, version, resume_at: resumeAt, projected } = row;
    const claimed = { batchId: nextBatchId, deliveryIds, firstSequence, version, resumeAt, projected };
    return { kind: 'advanced', next: { ...current, ...claimed, attempt: 1, failures: 0, behindFrom: null } };
  }

  /** Returns whether an attempt has its lease, and its batch is the lane's: the one before it is recorded then. */
  async isHeld({ destinationId, batchId, token }: Lease): Promise<boolean> {
    const row = await this.db
      .selectFrom('delivery_lanes')
      .select('destination_id')
      .where('destination_id', '=', destinationId)
      .where('batch_id', '=', batchId)
      .where('attempt_token', '=', token)
      .executeTakeFirst();
    return row !== undefined;
  }
}
