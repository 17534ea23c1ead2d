import { sql, type Kysely } from 'kysely';

/** A release before it ends such deliveries as `expired`. */
export const additive = true;

const statements = [
  // Not validated: every older row satisfies the narrower check that this one replaces.
  sql`alter table deliveries drop constraint deliveries_state_check,
    add constraint deliveries_state_check
    check (state in ('pending', 'delivered', 'rejected', 'expired', 'cancelled')) not valid`,

  // One row for each deleted destination whose waiting deliveries may not be cancelled yet. first_pass_at null: the
  // first pass is not finished.
  sql`create table deleted_lanes (
    destination_id text collate "C" primary key,
    floor_id bigint not null,
    deleted_at timestamptz not null default now(),
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

  // Destinations that were deleted before: skips through the index of pending deliveries, from one to the next.
  sql`insert into deleted_lanes (destination_id, floor_id)
    with recursive waiting as (
      (select destination_id from deliveries where state = 'pending' order by destination_id limit 1)
      union all
      select (select d.destination_id from deliveries d
              where d.state = 'pending' and d.destination_id > waiting.destination_id
              order by d.destination_id limit 1)
      from waiting where waiting.destination_id is not null
    )
    select destination_id, 0 from waiting
    where destination_id is not null
      and not exists (select from delivery_lanes l where l.destination_id = waiting.destination_id)`,
];

/** The state of deliveries whose destination was deleted, and the list of such destinations. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
