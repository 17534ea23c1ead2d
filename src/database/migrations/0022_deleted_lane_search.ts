import { sql, type Kysely } from 'kysely';

/** The release before it works with this schema. */
export const additive = true;

const statements = [
  // One row until the search ends: destinations up to after_id were visited.
  sql`create table deleted_lane_search (
    after_id text collate "C" primary key,
    deleted_before timestamptz not null default clock_timestamp()
  )`,
  sql`insert into deleted_lane_search (after_id) values ('')`,
];

/**
 * The search for destinations that were deleted before the trigger existed: a maintenance task does it in chunks
 * (`DeletedLaneStore.searchEarlier`).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
