import { sql, type Kysely } from 'kysely';

/** The release before it works with this schema. */
export const additive = true;

const statements = [
  // One row. Numbers are assigned only by the server that the row names, and only while the row is the very one that
  // was written there: xmin differs from recorded_by in every copy that pg_restore or logical replication has written
  // (docs/decisions/epoch.md).
  sql`create table installation (
    id boolean primary key default true check (id),
    epoch bigint not null,
    reason text not null,
    began_at timestamptz not null default now(),
    server_started_at timestamptz not null,
    system_identifier text,
    timeline bigint,
    recorded_by xid8 not null,
    witness_cleanups bigint not null default 0
  )`,
  sql`insert into installation (epoch, reason, server_started_at, recorded_by)
      values (1, 'installed', pg_postmaster_start_time(), pg_current_xact_id())`,

  // The epoch of the numbers from epoch_first_sequence on. earlier_epochs: those before, oldest first.
  sql`alter table delivery_lanes
        add column epoch bigint not null default 1,
        add column epoch_first_sequence bigint not null default 1,
        add column earlier_epochs jsonb`,
];

/** Finds the lanes that have not begun the epoch. A claim changes no indexed column: its update stays in the page. */
export const indexes = [{ name: 'delivery_lanes_by_epoch', on: 'delivery_lanes (epoch)' }];

/** The epoch of the installation, and the epochs of each lane's numbers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
