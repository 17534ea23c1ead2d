import { sql, type Kysely } from 'kysely';

/** Every release since `0047_lane_pauses` reads `delivery_lanes_by_state`; an older one finds the same rows, slower. */
export const additive = true;

/** Nothing reads this index any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index if exists delivery_lanes_by_status`.execute(db);
}
