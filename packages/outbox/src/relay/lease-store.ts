import type { RelayDatabase } from './relay-database.js';

/** Takes or renews the lease, by the clock of the database. */
const TAKE = `
update waybill_outbox.relay
set holder = $1, expires_at = clock_timestamp() + $2 * interval '1 millisecond'
where holder is null or holder = $1 or expires_at is null or expires_at <= clock_timestamp()
returning 1`;

const RELEASE = `update waybill_outbox.relay set holder = null, expires_at = null where holder = $1`;

/** The row that says which relay publishes. */
export class LeaseStore {
  constructor(private readonly database: RelayDatabase) {}

  /** Takes or renews the lease. Returns whether the holder has it. */
  async take(holder: string, ms: number): Promise<boolean> {
    return (await this.database.query(TAKE, [holder, ms])).length > 0;
  }

  /** Gives the lease up, if the holder has it. */
  async release(holder: string): Promise<void> {
    await this.database.query(RELEASE, [holder]);
  }
}
