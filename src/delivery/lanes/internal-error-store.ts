import { sql } from 'kysely';
import { fromNow } from '../../database/database-time.js';
import type { Database } from '../../database/database.js';
import type { Lease } from './lane.js';
import { resumedSince } from './lease.js';

/** An attempt that failed in Waybill itself, before anything was sent. */
export interface InternalError {
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Backoff before the next attempt, in milliseconds. */
  readonly delayMs: number;
}

/** Shown to the destination's owner. The cause is in the log only. */
const CODE = 'internal_error';
const MESSAGE =
  'Waybill failed to prepare the events and tries again. The destination is not at fault. The cause is in Waybill’s log.';

/** Records internal errors as attempts, so that they show in the destination's status. */
export class InternalErrorStore {
  constructor(private readonly db: Database) {}

  /**
   * Records the attempt, releases its lease and starts the lane's backoff, unless the lane was resumed during the
   * attempt. Deliveries stay pending: an internal error expires none. Writes nothing when the lease was lost.
   */
  async record(lease: Lease, { startedAt, durationMs, delayMs }: InternalError): Promise<void> {
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
