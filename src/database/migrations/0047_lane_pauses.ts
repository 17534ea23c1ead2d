import { sql, type Kysely } from 'kysely';

/**
 * A release before it pauses nothing, and calls the destinations that are paused. So a pause holds once every worker
 * and every api runs this release. Such a release shows a paused destination by its last attempt.
 */
export const additive = true;

/**
 * `paused_at`: since when the lane is paused; null while it is not. `pauses`: the pauses that have ended, as far as a
 * delivery waited in them (docs/decisions/pause.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table delivery_lanes
    add column if not exists paused_at timestamptz, add column if not exists pauses tstzmultirange`.execute(db);
}

/**
 * Finds the destinations of an account by their state. A claim and a settlement that keeps the status change no indexed
 * column. Postgres reads the index alone only where it has the columns of the expression. The release before uses
 * `delivery_lanes_by_status`.
 */
export const indexes = [
  {
    name: 'delivery_lanes_by_state',
    on: `delivery_lanes (account_id, (case when paused_at is null then status else 'paused' end), destination_id)
         include (status, paused_at)`,
  },
];
