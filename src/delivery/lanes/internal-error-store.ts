import { sql } from 'kysely';
import type { Database } from '../../database/database.js';
import { fromNow } from '../../database/database-time.js';
import type { Lease } from './lane.js';
import { resumedSince } from './lane-statements.js';

/** An attempt that failed before anything was sent, through a fault of ours. */
export interface Fault {
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Before the next attempt, in milliseconds. */
  readonly delayMs: number;
}

/** What the destination's owner reads. The log has the reason, which is not for them. */
const CODE = 'internal_error';
const MESSAGE =
  'Waybill could not prepare the events, through no fault of the destination; it tries again. Its operator finds the reason in the log.';

/** Makes faults of ours visible where people look for what became of their events. */
export class InternalErrorStore {
  constructor(private readonly db: Database) {}

  /**
   * Records the attempt, gives its lease back and lets its lane wait. Deliveries stay as they are: none of them expires for what
   * we did wrong. A lane that was resumed meanwhile does not wait. Nothing is written when the lease was lost.
   */
  async record(lease: Lease, { startedAt, durationMs, delayMs }: Fault): Promise<void> {
    await sql`
      with lane as (
        update delivery_lanes
        set attempt_token = null, attempt_until = null, failures = failures + 1,
            status = 'retrying', status_since = case when status = 'retrying' then status_since else now() end,
            resume_at = case when ${resumedSince(lease)} then null else ${fromNow(delayMs)} end,
            last_error_code = ${CODE}, last_error_message = ${MESSAGE}, last_error_at = now()
        where destination_id = ${lease.destinationId} and batch_id = ${lease.batchId} and attempt_token = ${lease.token}
        returning destination_id, cardinality(batch_delivery_ids) as records
      )
      insert into delivery_attempts (batch_id, destination_id, number, started_at, duration_ms, records, delivered, retried,
                                     rejected, outcome, code, message)
      select ${lease.batchId}, destination_id, ${lease.attempt}, ${startedAt}, ${durationMs}, records, 0, records, 0,
             'retrying', ${CODE}, ${MESSAGE}
      from lane`.execute(this.db);
  }
}
