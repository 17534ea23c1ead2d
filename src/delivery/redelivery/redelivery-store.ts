import { sql } from 'kysely';
import { readDatabaseTime } from '../../database/database-time.js';
import type { Database, Transaction } from '../../database/database.js';
import { int8Array } from '../../database/int8-array.js';
import type { DeliveryState } from '../../database/tables.js';
import { earlierRunsWithCurrent } from '../lanes/earlier-runs.js';
import { holdErasures } from '../lanes/erasure-fence.js';
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

/** Where a delivery is stored: the event's id names the partition of the finished ones. */
export interface StoredDelivery {
  readonly id: number;
  readonly eventId: string;
}

/** The result of one page. */
export interface RedeliveredPage {
  /** Deliveries that are pending again. */
  readonly count: number;
  /** The last delivery of the page; null when the page is empty. */
  readonly last: RangeCursor | null;
}

/**
 * Makes finished deliveries pending again, with their id, their event and their number: they move
 * back to `deliveries`. For the lane, that is an insert of deliveries: each transaction locks the lane, adds 1 to its
 * revision and lowers its floor, and the caller notifies the dispatcher afterwards (docs/delivery.md).
 */
export class RedeliveryStore {
  constructor(private readonly db: Database) {}

  /** Returns which of these events are erased: their deliveries stay as they are. */
  erased(eventIds: readonly string[]): Promise<readonly string[]> {
    return erasedAmong(this.db, eventIds);
  }

  /** Returns the deliveries of these events to a destination of the account, by event. */
  async find(
    accountId: string,
    destinationId: string,
    eventIds: readonly string[],
  ): Promise<ReadonlyMap<string, StoredDelivery>> {
    const rows = await this.db
      .selectFrom('all_deliveries')
      .select(['event_id', 'id'])
      .where('event_id', 'in', eventIds)
      .where('destination_id', '=', destinationId)
      .where('account_id', '=', accountId)
      .execute();
    return new Map(rows.map(({ event_id: eventId, id }) => [eventId, { id, eventId }]));
  }

  /**
   * Makes those of the deliveries pending again that are finished.
   * @returns how many
   */
  async redeliver(destinationId: string, deliveries: readonly StoredDelivery[]): Promise<number> {
    return this.locked(destinationId, (trx) => reopen(trx, destinationId, deliveries));
  }

  /** Makes the first `limit` deliveries of a range behind a cursor pending again, in order. */
  async redeliverPage(
    destinationId: string,
    { state, from, to }: FinishedRange,
    after: RangeCursor | null,
    limit: number,
  ): Promise<RedeliveredPage> {
    return this.locked(destinationId, async (trx) => {
      const { rows } = await sql<{ id: number; event_id: string; created_at: Date }>`
        select id, event_id, created_at from finished_deliveries
        where destination_id = ${destinationId} and state = ${state} and created_at < ${to}
          and (created_at, id) > (${after?.createdAt ?? from}::timestamptz, ${after?.id ?? 0}::bigint)
        order by created_at, id limit ${limit}`.execute(trx);
      const last = rows.at(-1);
      if (!last) return { count: 0, last: null };
      const count = await reopen(
        trx,
        destinationId,
        rows.map(({ id, event_id: eventId }) => ({ id, eventId })),
      );
      return { count, last: { createdAt: last.created_at, id: last.id } };
    });
  }

  /** Returns the database's time, which ends a range that has no end of its own. */
  now(): Promise<Date> {
    return readDatabaseTime(this.db);
  }

  /** Returns whether a range contains any delivery. */
  async isNonEmpty(destinationId: string, { state, from, to }: FinishedRange): Promise<boolean> {
    const { rows } = await sql`
      select from finished_deliveries
      where destination_id = ${destinationId} and state = ${state} and created_at >= ${from} and created_at < ${to}
      limit 1`.execute(this.db);
    return rows.length > 0;
  }

  /**
   * Runs `work` while the lane is locked. A deleted destination has no lane: `reopen` then changes nothing.
   */
  private async locked<T>(destinationId: string, work: (trx: Transaction) => Promise<T>): Promise<T> {
    return this.db.transaction().execute(async (trx) => {
      await holdErasures(trx, sql`(select account_id from delivery_lanes where destination_id = ${destinationId})`);
      await sql`update delivery_lanes set revision = revision + 1 where destination_id = ${destinationId}`.execute(trx);
      return work(trx);
    });
  }
}

/**
 * Makes those of the deliveries pending again that are finished, while the lane is locked. Those of erased events stay.
 * @returns how many
 */
async function reopen(trx: Transaction, destinationId: string, found: readonly StoredDelivery[]): Promise<number> {
  const given = found.map(({ eventId }) => eventId);
  const erased = new Set(await erasedAmong(trx, given));
  const deliveries = found.filter(({ eventId }) => !erased.has(eventId));
  if (deliveries.length === 0) return 0;
  const ids = int8Array(deliveries.map(({ id }) => id));
  const eventIds = deliveries.map(({ eventId }) => eventId).toSorted();
  const { numAffectedRows } = await sql`
    with lane as (
      update delivery_lanes set ${loweredFloor(Math.min(...deliveries.map(({ id }) => id)))}
      where destination_id = ${destinationId}
      returning destination_id
    ),
    reopened as (
      delete from finished_deliveries d
      -- The range of the events leaves the partitions of their days.
      where d.destination_id = ${destinationId} and d.id = any(${ids}::bigint[])
        and d.event_id >= ${eventIds[0] ?? ''} and d.event_id <= ${eventIds.at(-1) ?? ''}
        and exists (select from lane)
      returning *
    )
    insert into deliveries (id, event_id, destination_id, account_id, state, sequence, created_at, redelivered_at,
                            earlier_runs, backfill_id)
    overriding system value
    select id, event_id, destination_id, account_id, 'pending', sequence, created_at, now(), ${earlierRunsWithCurrent}, backfill_id
    from reopened d`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

async function erasedAmong(db: Database, eventIds: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from events where id = any(${eventIds}::text[]) and erasure_id is not null`.execute(db);
  return rows.map(({ id }) => id);
}
