import { sql } from 'kysely';

/** The installation as a whole: its epoch, its workers, their tasks, and what the retention has removed. */
export const installation = sql`
-- Numbers are assigned only by the server that the row names, and only while the row is the very one that was written
-- there: xmin differs from recorded_by in every copy that pg_restore or logical replication has written
-- (docs/decisions/epoch.md).
create table installation (
  id boolean primary key default true check (id),
  epoch bigint not null,
  reason text not null,
  began_at timestamptz not null default now(),
  server_started_at timestamptz not null,
  system_identifier text,
  timeline bigint,
  -- The transaction that wrote the row.
  recorded_by xid8 not null,
  -- How often marks of deleted lanes were removed from the witness.
  witness_cleanups bigint not null default 0
);
comment on table installation is 'One row: the epoch, and the server on which it may assign numbers.';
insert into installation (epoch, reason, server_started_at, recorded_by)
  values (1, 'installed', pg_postmaster_start_time(), pg_current_xact_id());

create table worker_presences (
  id integer primary key,
  instance text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz
);
comment on table worker_presences is
  'A worker that runs, or has died: a worker that runs holds a lock for its row.';

create table maintenance_tasks (
  name text primary key,
  due_at timestamptz not null
);
comment on table maintenance_tasks is
  'Work that one process of all does at a time: the one that moves due_at forward does it.';

create table retention_marks (
  kind text primary key,
  complete_since timestamptz not null
);
comment on table retention_marks is 'Since when the rows of a kind are complete; no row while none was removed.';
`;
