import type { RelayDatabase } from './relay-database.js';

/** Longest lease that another relay respects, unless its own is longer; in milliseconds. */
const LONGEST_LEASE_MS = 600_000;

/**
 * Takes or renews the lease, by the clock of the database. A lease that ends later than any relay asks for was taken
 * before that clock was set back: nobody may be there to renew it.
 */
const TAKE = `
update waybill_outbox.relay
set holder = $1, expires_at = clock_timestamp() + $2 * interval '1 millisecond'
where holder is null or holder = $1 or expires_at is null or expires_at <= clock_timestamp()
  or expires_at > clock_timestamp() + greatest($2, ${LONGEST_LEASE_MS}) * interval '1 millisecond'
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
