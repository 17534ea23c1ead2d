import { sql } from 'kysely';
import type { Database, Transaction } from '../../database/database.js';
import type { DeliveryState } from '../../database/tables.js';
import { earlierRunsWithCurrent } from '../lanes/earlier-runs.js';

/** Finished deliveries of one destination, by how they ended and when their events happened. */
export interface FinishedRange {
  readonly state: Exclude<DeliveryState, 'pending'>;
  /** From this time on. */
  readonly from: Date;
  /** Up to this time, itself left out. */
  readonly to: Date;
}

/** A place in the order of time. */
export interface RangeCursor {
  readonly createdAt: Date;
  readonly id: number;
}

/** What one step did. */
export interface RedeliveredPage {
  /** Deliveries that are pending again. */
  readonly count: number;
  /** The last that the step looked at; null when there was nothing left. */
  readonly last: RangeCursor | null;
}

/**
 * Makes finished deliveries pending again, with their event and their number. To a lane that is like deliveries that are
 * inserted: every step locks the lane and adds 1 to its revision, and who calls it dispatches the lane afterwards
 * (docs/decisions/lanes.md).
 */
export class RedeliveryStore {
  constructor(private readonly db: Database) {}

  /** The deliveries to a destination of the account that there are for these events, by event. */
  async find(
    accountId: string,
    destinationId: string,
    eventIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const rows = await this.db
      .selectFrom('deliveries')
      .select(['event_id', 'id'])
      .where('event_id', 'in', eventIds)
      .where('destination_id', '=', destinationId)
      .where('account_id', '=', accountId)
      .execute();
    return new Map(rows.map(({ event_id, id }) => [event_id, id]));
  }

  /**
   * Asks again for those of the deliveries that are finished; the others are on their way as it is.
   * @returns how many
   */
  async again(destinationId: string, ids: readonly number[]): Promise<number> {
    return this.locked(destinationId, async (trx) => {
      const { numAffectedRows } = await this.reopen(trx, destinationId, ids);
      return Number(numAffectedRows ?? 0n);
    });
  }

  /** Asks again for the first `limit` deliveries of a range behind a place in it, in order. */
  async step(
    destinationId: string,
    { state, from, to }: FinishedRange,
    after: RangeCursor | null,
    limit: number,
  ): Promise<RedeliveredPage> {
    return this.locked(destinationId, async (trx) => {
      // `state` is written out, for the planner must see that the partial index has it.
      const { rows } = await sql<{ id: number; created_at: Date }>`
        select id, created_at from deliveries
        where destination_id = ${destinationId} and state = ${sql.lit(state)} and created_at < ${to}
          and (created_at, id) > (${after?.createdAt ?? from}::timestamptz, ${after?.id ?? 0}::bigint)
        order by created_at, id limit ${limit}`.execute(trx);
      const last = rows.at(-1);
      if (!last) return { count: 0, last: null };
      const { numAffectedRows } = await this.reopen(
        trx,
        destinationId,
        rows.map(({ id }) => id),
      );
      return { count: Number(numAffectedRows ?? 0n), last: { createdAt: last.created_at, id: last.id } };
    });
  }

  /** Whether a range holds anything. */
  async holds(destinationId: string, { state, from, to }: FinishedRange): Promise<boolean> {
    const { rows } = await sql`
      select from deliveries
      where destination_id = ${destinationId} and state = ${sql.lit(state)} and created_at >= ${from} and created_at < ${to}
      limit 1`.execute(this.db);
    return rows.length > 0;
  }

  /** Runs `work` while the lane is locked. A destination that was deleted meanwhile has none: its deliveries go nowhere. */
  private async locked<T>(destinationId: string, work: (trx: Transaction) => Promise<T>): Promise<T> {
    return this.db.transaction().execute(async (trx) => {
      await sql`update delivery_lanes set revision = revision + 1 where destination_id = ${destinationId}`.execute(
        trx,
      );
      return work(trx);
    });
  }

  private reopen(trx: Transaction, destinationId: string, ids: readonly number[]) {
    return sql`
      update deliveries d
      set state = 'pending', redelivered_at = now(), finished_at = null, error_code = null, error_message = null,
          batch_id = null, attempts = 0,
          earlier_runs = ${earlierRunsWithCurrent}
      where d.destination_id = ${destinationId} and d.id = any(${`{${ids.join(',')}}`}::bigint[]) and d.state <> 'pending'
        and exists (select from delivery_lanes where destination_id = ${destinationId})`.execute(trx);
  }
}
