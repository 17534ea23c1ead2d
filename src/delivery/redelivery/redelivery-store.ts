import { sql } from 'kysely';
import type { Database, Transaction } from '../../database/database.js';
import type { DeliveryState } from '../../database/tables.js';
import { earlierRunsWithCurrent } from '../lanes/earlier-runs.js';
import { loweredFloor } from '../lanes/floor.js';

/** Finished deliveries of one destination, by their state and the time when they were recorded. */
export interface FinishedRange {
  readonly state: Exclude<DeliveryState, 'pending'>;
  /** Inclusive. */
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
}

/** The position of a delivery in the order of time. */
export interface RangeCursor {
  readonly createdAt: Date;
  readonly id: number;
}

/** The result of one page. */
export interface RedeliveredPage {
  /** Deliveries that are pending again. */
  readonly count: number;
  /** The last delivery of the page; null when the page is empty. */
  readonly last: RangeCursor | null;
}

/**
 * Makes finished deliveries pending again, with their event and their number. For the lane, that is an insert of
 * deliveries: each transaction locks the lane, adds 1 to its revision and lowers its floor, and the caller notifies the
 * dispatcher afterwards (docs/decisions/lanes.md).
 */
export class RedeliveryStore {
  constructor(private readonly db: Database) {}

  /** Returns the ids of the deliveries of these events to a destination of the account, by event. */
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
   * Makes those of the deliveries pending again that are finished.
   * @returns how many
   */
  async redeliver(destinationId: string, ids: readonly number[]): Promise<number> {
    return this.locked(destinationId, async (trx) => {
      const { numAffectedRows } = await this.reopen(trx, destinationId, ids);
      return Number(numAffectedRows ?? 0n);
    });
  }

  /** Makes the first `limit` deliveries of a range behind a cursor pending again, in order. */
  async redeliverPage(
    destinationId: string,
    { state, from, to }: FinishedRange,
    after: RangeCursor | null,
    limit: number,
  ): Promise<RedeliveredPage> {
    return this.locked(destinationId, async (trx) => {
      // `state` is a literal, so that the planner matches it with the partial index.
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

  /** Returns the database's time, which ends a range that has no end of its own. */
  async now(): Promise<Date> {
    const { rows } = await sql<{ now: Date }>`select now()`.execute(this.db);
    const [row] = rows;
    if (!row) throw new Error('The database returned no time.');
    return row.now;
  }

  /** Returns whether a range contains any delivery. */
  async isNonEmpty(destinationId: string, { state, from, to }: FinishedRange): Promise<boolean> {
    const { rows } = await sql`
      select from deliveries
      where destination_id = ${destinationId} and state = ${sql.lit(state)} and created_at >= ${from} and created_at < ${to}
      limit 1`.execute(this.db);
    return rows.length > 0;
  }

  /**
   * Runs `work` while the lane is locked. A deleted destination has no lane: `reopen` then changes nothing.
   */
  private async locked<T>(destinationId: string, work: (trx: Transaction) => Promise<T>): Promise<T> {
    return this.db.transaction().execute(async (trx) => {
      await sql`update delivery_lanes set revision = revision + 1 where destination_id = ${destinationId}`.execute(trx);
      return work(trx);
    });
  }

  private reopen(trx: Transaction, destinationId: string, ids: readonly number[]) {
    return sql`
      with lane as (
        update delivery_lanes set ${loweredFloor(Math.min(...ids))}
        where destination_id = ${destinationId}
        returning destination_id
      )
      update deliveries d
      set state = 'pending', redelivered_at = now(), finished_at = null, error_code = null, error_message = null,
          batch_id = null, attempts = 0,
          earlier_runs = ${earlierRunsWithCurrent}
      where d.destination_id = ${destinationId} and d.id = any(${`{${ids.join(',')}}`}::bigint[]) and d.state <> 'pending'
        and exists (select from lane)`.execute(trx);
  }
}
