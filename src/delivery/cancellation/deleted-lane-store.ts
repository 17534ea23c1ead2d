import { sql } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import type { Database } from '../../database/database.js';
import { destinationDeleted } from './destination-deleted.js';

/**
 * How long after a deletion its second pass begins, in milliseconds: longer than any fan-out that still saw the
 * destination can run. A statement ends after 20 seconds, an idle transaction after 60.
 */
const SECOND_PASS_MS = 300_000;

/**
 * Whether the second pass of a row of `deleted_lanes` is due: no fan-out that began before the deletion is under way,
 * or waits for the background.
 */
const isDueAgain = sql`deleted_at <= ${fromNow(-SECOND_PASS_MS)}
  and not exists (select from fan_out_parts p where p.created_at <= deleted_lanes.deleted_at)`;

/** A deleted destination whose waiting deliveries are to be cancelled. */
export interface DeletedLane {
  readonly destinationId: string;
  /** No delivery with an id up to it was pending when the lane was deleted. */
  readonly floorId: number;
}

/** Deliveries of one statement that were cancelled. */
export interface CancelledChunk {
  readonly count: number;
  /** The highest id among them; null when none was left. */
  readonly lastId: number | null;
}

/** Cancels the deliveries that waited for a destination when it was deleted. */
export class DeletedLaneStore {
  constructor(private readonly db: Database) {}

  /** Returns deleted destinations that are due for their first or second pass, the earliest deleted first. */
  async due(limit: number): Promise<readonly DeletedLane[]> {
    const { rows } = await sql<{ destination_id: string; floor_id: number }>`
      select destination_id, floor_id from deleted_lanes
      where first_pass_at is null or ${isDueAgain}
      order by deleted_at, destination_id limit ${limit}`.execute(this.db);
    return rows.map((row) => ({ destinationId: row.destination_id, floorId: row.floor_id }));
  }

  /**
   * Cancels the next `size` waiting deliveries of a deleted destination, in order.
   * @param afterId only deliveries behind this id
   */
  async cancel({ destinationId }: DeletedLane, afterId: number, size: number): Promise<CancelledChunk> {
    const { rows } = await sql<{ count: number; last_id: number | null }>`
      with cancelled as (
        update deliveries
        set state = 'cancelled', finished_at = now(), error_code = ${destinationDeleted.code},
            error_message = ${destinationDeleted.message}
        where destination_id = ${destinationId} and state = 'pending' and id = any(array(
          select id from deliveries
          where destination_id = ${destinationId} and state = 'pending' and id > ${afterId}
          order by id limit ${size}
        ))
        returning id
      )
      select count(*)::int as count, max(id) as last_id from cancelled`.execute(this.db);
    const [row] = rows;
    return { count: row?.count ?? 0, lastId: row?.last_id ?? null };
  }

  /**
   * Records the end of a pass. A fan-out that began before the deletion may still commit: the second pass cancels its
   * deliveries, and the destination is forgotten.
   */
  async passed({ destinationId }: DeletedLane): Promise<void> {
    await sql`
      with forgotten as (
        delete from deleted_lanes
        where destination_id = ${destinationId} and ${isDueAgain}
        returning destination_id
      )
      update deleted_lanes set first_pass_at = coalesce(first_pass_at, now())
      where destination_id = ${destinationId} and not exists (select from forgotten)`.execute(this.db);
  }
}
