import { sql } from 'kysely';
import type { Database } from '../../database/database.js';
import { finishing } from '../finished/finish-statement.js';
import { destinationDeleted } from './destination-deleted.js';

/**
 * How long a transaction can last that still sees a destination while it is deleted, in milliseconds, with a reserve:
 * a statement ends after 20 seconds, an idle transaction after 60. This bounds the fan-outs that read the routes before
 * the deletion, and also the time from `deleted_at` to the commit of the deletion.
 */
const LONGEST_TRANSACTION_MS = 300_000;

/**
 * Whether every fan-out that still saw a deleted destination has its deliveries: the time has passed, and each part
 * that waits for the background belongs to a later event.
 */
const fanOutsEnded = sql<boolean>`deleted_at + ${LONGEST_TRANSACTION_MS}::float8 * interval '1 millisecond'
    <= least(now(), (select min(created_at) from fan_out_parts))`;

/** A deleted destination whose waiting deliveries are to be cancelled. */
export interface DeletedLane {
  readonly destinationId: string;
  /** No delivery with an id up to it was pending when the lane was deleted. */
  readonly floorId: number;
  /** Whether no delivery can be added any more: this pass finds all that are left. */
  readonly isLast: boolean;
}

/** The deliveries that one statement chose. */
export interface CancelledChunk {
  /** Number of those that it cancelled. The others were cancelled by another process. */
  readonly cancelled: number;
  /** Number of all. */
  readonly picked: number;
  /** The highest id of all; null when there was none. */
  readonly lastId: number | null;
}

/** Cancels the deliveries that waited for a destination when it was deleted. */
export class DeletedLaneStore {
  constructor(private readonly db: Database) {}

  /** Returns deleted destinations that are due for their first or last pass, with ids behind `afterId`, in order. */
  async due(afterId: string, limit: number): Promise<readonly DeletedLane[]> {
    const { rows } = await sql<{ destination_id: string; floor_id: number; is_last: boolean }>`
      select destination_id, floor_id, is_last
      from (select *, ${fanOutsEnded} as is_last from deleted_lanes) lanes
      where (first_pass_at is null or is_last) and destination_id > ${afterId}
      order by destination_id limit ${limit}`.execute(this.db);
    return rows.map((row) => ({ destinationId: row.destination_id, floorId: row.floor_id, isLast: row.is_last }));
  }

  /**
   * Cancels the next `size` waiting deliveries of a deleted destination, in order. Any number of processes may do so at
   * a time: whether deliveries are left follows from those that were picked, not from those that this one changed.
   * @param afterId only deliveries behind this id
   */
  async cancel({ destinationId }: DeletedLane, afterId: number, size: number): Promise<CancelledChunk> {
    const { rows } = await sql<{ cancelled: number; picked: number; last_id: number | null }>`
      with picked as materialized (
        select id from deliveries
        where destination_id = ${destinationId} and state = 'pending' and id > ${afterId}
        order by id limit ${size}
      ),
      ${finishing(
        sql`where d.destination_id = ${destinationId} and d.state = 'pending' and d.id = any(array(select id from picked))`,
        {
          state: sql`'cancelled'`,
          errorCode: sql`${destinationDeleted.code}::text`,
          errorMessage: sql`${destinationDeleted.message}::text`,
        },
      )}
      select (select count(*) from finished)::int as cancelled, count(*)::int as picked, max(id) as last_id
      from picked`.execute(this.db);
    const [row] = rows;
    return { cancelled: row?.cancelled ?? 0, picked: row?.picked ?? 0, lastId: row?.last_id ?? null };
  }

  /**
   * Records the end of a pass. After the last one, the destination is forgotten. Whether a pass is the last one was
   * decided before it began: a pass that began earlier may have missed a delivery that was committed behind it.
   */
  async passed({ destinationId, isLast: forget }: DeletedLane): Promise<void> {
    if (forget) {
      await sql`delete from deleted_lanes where destination_id = ${destinationId}`.execute(this.db);
      return;
    }
    await sql`
      update deleted_lanes set first_pass_at = coalesce(first_pass_at, now())
      where destination_id = ${destinationId}`.execute(this.db);
  }
}
