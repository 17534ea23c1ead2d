import { sql } from 'kysely';

/** Exports of events. */
export const exportsOfEvents = sql`
create table exports (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts,
  format text not null check (format in ('ndjson', 'csv')),
  filter jsonb not null,
  destination_id text collate "C",
  principal_id text collate "C" not null,
  credential_id text collate "C",
  operation_id text not null,
  before_id text collate "C" not null,
  -- The transaction that created the export: those with lower ids ran then, or had ended.
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
  files_removed_at timestamptz,
  -- The export has taken longer than an attempt at a small one may.
  is_large boolean not null default false,
  -- Where files of its attempts may be, that of the latest attempt last.
  storages text[] not null default '{}'
);
comment on table exports is 'An export of events into a file. The file of each attempt has a name of its own.';

create index exports_by_account on exports (account_id, id);
create index exports_under_way on exports (created_at, id) where state in ('pending', 'running');
create index exports_with_files on exports (id) where files_removed_at is null;
create index exports_finished on exports (finished_at);
`;
