import { sql } from 'kysely';
import type { Database } from '../database/database.js';

/** Most parts of waiting fan-outs that are counted. */
const MAX_COUNTED = 10_000;

/** The state of the installation, for the metrics. */
export interface InstallationState {
  readonly epoch: number;
  /** Whether no server may assign numbers. */
  readonly fenced: boolean;
  /** Parts of waiting fan-outs: 2,000 deliveries each, at most. A lower bound from `MAX_COUNTED` on. */
  readonly waitingParts: number;
  /** Age of the oldest part, in seconds; 0 when none waits. */
  readonly oldestPartSeconds: number;
}

/** Reads the state of the installation. */
export class InstallationStateStore {
  constructor(private readonly db: Database) {}

  /** Returns the state. The cost is bounded, however many fan-outs wait. */
  async read(): Promise<InstallationState> {
    const { rows } = await sql<InstallationState>`
      select epoch, not (server_started_at = pg_postmaster_start_time() and xmin = recorded_by::xid) as fenced,
             (select count(*)::int from (select from fan_out_parts limit ${MAX_COUNTED}) counted) as "waitingParts",
             coalesce((select greatest(0, extract(epoch from now() - created_at)) from fan_out_parts order by id limit 1),
                      0)::float8 as "oldestPartSeconds"
      from installation where id`.execute(this.db);
    const [row] = rows;
    if (!row) throw new Error('The table installation has no row.');
    return row;
  }
}
