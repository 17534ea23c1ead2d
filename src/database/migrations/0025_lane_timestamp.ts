import { sql, type Kysely } from 'kysely';

/** A release before it keeps the timestamp in the memory of each worker. */
export const additive = true;

/**
 * The timestamp of the lane's last delivered record, in milliseconds, where the target needs ascending ones
 * (docs/decisions/order.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table delivery_lanes add column latest_timestamp_ms bigint`.execute(db);
}
