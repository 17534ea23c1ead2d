import { sql, type Kysely } from 'kysely';

/** The deletions of a release before it are recorded by the trigger. */
export const additive = true;

const statements = [
  // One row for each deleted destination whose waiting deliveries may not be cancelled yet. first_pass_at null: the
  // first pass is not finished. deleted_at is the clock, not the start of the transaction: fan-outs that begin in
  // between still see the destination.
  sql`create table deleted_lanes (
    destination_id text collate "C" primary key,
    floor_id bigint not null,
    deleted_at timestamptz not null default clock_timestamp(),
    first_pass_at timestamptz
  )`,

  // A lane goes with its destination, by cascade. The trigger is in the same transaction, whatever deletes it.
  sql`create function remember_deleted_lane() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into deleted_lanes (destination_id, floor_id) values (old.destination_id, old.floor_id)
      on conflict (destination_id) do nothing;
      return null;
    end $$`,
  sql`create trigger delivery_lanes_deleted after delete on delivery_lanes
    for each row execute function remember_deleted_lane()`,
];

/** The list of deleted destinations. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
