import { sql, type Kysely } from 'kysely';

/** The release before it works with this schema. */
export const additive = true;

const statements = [
  // The present state of the resources of one kind, to be written to new destinations. Resources up to after_id are
  // written. Why no foreign key leads to a row from the marks: the writer of a resource must not wait for the walker.
  sql`create table event_snapshots (
    id text collate "C" primary key,
    account_id text collate "C" not null references accounts,
    subscription_id text collate "C" not null references resources on delete cascade,
    kind text not null,
    destination_ids text[] not null,
    operation_id text not null,
    base_url text not null,
    after_id text collate "C" not null default '',
    total bigint,
    passed bigint not null default 0,
    created_at timestamptz not null default now(),
    finished_at timestamptz
  )`,
  sql`create index event_snapshots_running on event_snapshots (account_id, kind) where finished_at is null`,
  sql`create index event_snapshots_by_subscription on event_snapshots (subscription_id, id)`,

  // Resources that a running snapshot skips: a change has written them, or they are new.
  sql`create table event_snapshot_marks (
    snapshot_id text collate "C" not null,
    resource_id text collate "C" not null,
    primary key (snapshot_id, resource_id)
  )`,
];

/** Snapshots of the present state for new subscriptions (docs/decisions/snapshots.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
