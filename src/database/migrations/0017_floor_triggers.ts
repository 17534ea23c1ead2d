import { sql, type Kysely } from 'kysely';

/** Also a release before it keeps the floor right: its redeliveries lower the floor by the trigger. */
export const additive = true;

const statements = [
  // The floor waits for transactions that may still commit a lower id, and knows them by their transaction ids. So each
  // transaction has its id before it draws one for a delivery, whatever process or release it belongs to.
  sql`create function assign_transaction_id() returns trigger language plpgsql as $$
    begin
      perform pg_current_xact_id();
      return null;
    end $$`,
  sql`create trigger deliveries_inserted before insert on deliveries
    for each statement execute function assign_transaction_id()`,

  // A redelivery lowers the floor itself. The trigger does it for releases before the floor, which may still run, and
  // for an operator's own statement.
  sql`create function lower_lane_floor() returns trigger language plpgsql set search_path from current as $$
    begin
      update delivery_lanes
      set floor_id = least(floor_id, new.id - 1), next_floor_id = null, next_floor_xid = null
      where destination_id = new.destination_id and (floor_id >= new.id or next_floor_id >= new.id);
      return null;
    end $$`,
  sql`create trigger deliveries_reopened after update of state on deliveries
    for each row when (new.state = 'pending' and old.state <> 'pending') execute function lower_lane_floor()`,

  // In rows, whatever the size of the table: the cost of a claim grows with the dead rows, not with their share.
  sql`alter table deliveries set (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
    autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000)`,
];

/** The triggers that keep the lane floor right, and absolute vacuum thresholds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
