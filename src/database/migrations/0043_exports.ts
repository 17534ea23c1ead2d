import { sql, type Kysely } from 'kysely';

/** The release before it works with this schema. */
export const additive = true;

const statements = [
  // horizon is the transaction that created the export: those with lower ids ran then, or had ended.
  sql`create table exports (
    id text collate "C" primary key,
    account_id text collate "C" not null references accounts,
    format text not null check (format in ('ndjson', 'csv')),
    filter jsonb not null,
    destination_id text collate "C",
    principal_id text collate "C" not null,
    credential_id text collate "C",
    operation_id text not null,
    before_id text collate "C" not null,
    horizon xid8 not null,
    complete_since timestamptz,
    state text not null default 'pending'
      check (state in ('pending', 'running', 'completed', 'failed', 'cancelled', 'expired')),
    attempt integer not null default 0,
    leased_until timestamptz,
    events bigint not null default 0,
    bytes bigint not null default 0,
    reached_at timestamptz,
    manifest jsonb,
    error_code text,
    error_message text,
    created_at timestamptz not null default now(),
    started_at timestamptz,
    finished_at timestamptz,
    expires_at timestamptz,
    deleted_at timestamptz,
    files_removed_at timestamptz
  )`,
  sql`create index exports_by_account on exports (account_id, id)`,
  sql`create index exports_under_way on exports (created_at, id) where state in ('pending', 'running')`,
  sql`create index exports_with_files on exports (id) where files_removed_at is null`,
  sql`create index exports_finished on exports (finished_at)`,
];

/** Exports of events (docs/decisions/exports.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
