import { sql, type Kysely } from 'kysely';

/** A release before it ignores the floor; the triggers of the next migration keep the floor right. */
export const additive = true;

const statements = [
  // No delivery with an id up to floor_id is pending: claims begin behind it. next_floor_id becomes the floor once
  // every transaction up to next_floor_xid has ended (docs/decisions/lane-floor.md).
  sql`alter table delivery_lanes
    add column floor_id bigint not null default 0,
    add column next_floor_id bigint,
    add column next_floor_xid xid8`,

  // In rows, whatever the size of the table: the cost of a scan grows with the dead rows, not with their share. Every
  // lane is updated three times for each batch.
  sql`alter table delivery_lanes set (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000)`,
];

/** The lane floor, so that dead index entries do not slow claims. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
