import { sql } from 'kysely';
import type { Database } from '../database/database.js';

/** How long a round of one process may take, in seconds. After a crash, another one begins then. */
const ROUND_SECONDS = 60;

/** Shortest and longest time between two rounds of a checkpoint, in seconds. */
const [SHORTEST_WAIT, LONGEST_WAIT] = [2, 600];

/** A log whose newest checkpoint lacks cosignatures. */
export interface UncosignedLog {
  readonly id: number;
  readonly destinationId: string;
  /** The newest checkpoint, and its size. */
  readonly note: string;
  readonly size: number;
  /** The newest checkpoint with cosignatures, and its size; null and 0 when there is none. */
  readonly cosignedNote: string | null;
  readonly cosignedSize: number;
}

/** The cosignatures of checkpoints, in the table `proof_logs`. */
export class CosigningStore {
  constructor(private readonly db: Database) {}

  /** Returns logs whose turn it is, at most `limit`. No other process gets them while their round may take. */
  async take(limit: number): Promise<readonly UncosignedLog[]> {
    const { rows } = await sql<UncosignedLog>`
      update proof_logs g set cosign_at = now() + ${ROUND_SECONDS} * interval '1 second'
      from (
        select id from proof_logs where cosign_at <= now() order by cosign_at limit ${limit} for update skip locked
      ) due
      where g.id = due.id
      returning g.id, g.destination_id as "destinationId", g.note, g.signed_size as size,
                g.cosigned_note as "cosignedNote", g.cosigned_size as "cosignedSize"`.execute(this.db);
    return rows;
  }

  /**
   * Stores the result of a round, unless another round has stored cosignatures since it began: it may lack those. The
   * next round begins after as long as the checkpoint waits already, or at once for a newer one. The last one of a log
   * is sent for a day: after a restore, a cosigner that has cosigned a larger one always refuses this one.
   * @param cosigned the checkpoint with cosignatures; null: none was added
   * @param isDone whether it has all of them
   */
  async put({ id, note, size, cosignedNote }: UncosignedLog, cosigned: string | null, isDone: boolean): Promise<void> {
    await sql`
      update proof_logs
      set cosigned_note = coalesce(${cosigned}::text, cosigned_note),
          cosigned_size = case when ${cosigned}::text is null then cosigned_size else ${size}::bigint end,
          cosign_at = case
            when note <> ${note} then now()
            when ${isDone}::boolean or (not is_open and signed_at < now() - interval '1 day') then null
            else now() + least(greatest(now() - signed_at, ${SHORTEST_WAIT} * interval '1 second'),
                               ${LONGEST_WAIT} * interval '1 second')
          end
      where id = ${id} and cosigned_note is not distinct from ${cosignedNote}::text`.execute(this.db);
  }
}
