import { sql } from 'kysely';
import type { Database } from '../../database/database.js';
import { isLeasedBy } from '../lanes/attempt-token.js';
import type { ClaimedBatch } from '../lanes/lane-store.js';
import { PRESENCE_LOCK_CLASS } from './presence-statements.js';

/** A batch whose lease was ended, and which is to be attempted again. */
export type OrphanedBatch = Omit<ClaimedBatch, 'events'>;

/** The leases of dead workers. */
export class DeadWorkerStore {
  constructor(private readonly db: Database) {}

  /**
   * Ends the leases of a worker, and removes its row. The lock is held until the commit: a worker that lives after all
   * reconnects before or after it, and learns of it by its row. A lane that another transaction has locked is left to
   * the end of its lease.
   * @returns the batches that need a job, which those of paused lanes do not; null when the worker lives, or another
   * process has done this
   */
  async endLeases(presenceId: number): Promise<readonly OrphanedBatch[] | null> {
    const { rows } = await sql<OrphanedBatch | { readonly destinationId: null }>`
      with gone as materialized (
        delete from worker_presences
        where id = ${presenceId}
          and case when id = ${presenceId} then pg_try_advisory_xact_lock(${sql.lit(PRESENCE_LOCK_CLASS)}, id) else false end
        returning id
      ),
      held as materialized (
        select l.destination_id
        from gone cross join delivery_lanes l
        where ${isLeasedBy(sql`gone.id`)} and l.attempt_until > now()
        for update of l skip locked
      ),
      ended as (
        update delivery_lanes l set attempt_until = now()
        from held
        where l.destination_id = held.destination_id
        returning l.destination_id, l.batch_id, l.target_kind, l.failures, l.paused_at
      )
      select ended.destination_id as "destinationId", ended.batch_id as "batchId", ended.target_kind as "targetKind",
             ended.failures
      from gone left join ended on ended.paused_at is null`.execute(this.db);
    if (rows.length === 0) return null;
    return rows.filter((row) => row.destinationId !== null);
  }
}
