import { sql } from 'kysely';

/** Erasures of events, and the records of logs about them. */
export const erasures = sql`
create table erasures (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts,
  state text not null default 'erasing' check (state in ('erasing', 'recording', 'finished', 'failed')),
  kind text not null check (kind in ('object', 'principal', 'account')),
  -- The id of the resource or the principal, until the erasure is finished.
  subject_id text,
  types text[] not null,
  to_time timestamptz not null,
  reason text not null,
  principal_id text collate "C" not null,
  principal_subject text not null,
  -- The transaction that created the erasure: events of those with lower ids may still be recorded.
  horizon xid8 not null,
  -- Events up to this id are passed.
  after_id text collate "C" not null default '',
  erased bigint not null default 0,
  -- Of the present pass: events that are erased, and events that wait for a delivery.
  pass_erased bigint not null default 0,
  pass_waiting bigint not null default 0,
  -- Of the last pass.
  waiting bigint,
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- What was asked for, encrypted: another row is not carried out. Null when it is finished.
  key_id text,
  nonce bytea,
  ciphertext bytea
);
comment on table erasures is 'A request to erase events, with its progress.';

create index erasures_by_account on erasures (account_id, id);
create index erasures_unfinished on erasures (due_at) where finished_at is null;

create table erased_numbers (
  erasure_id text collate "C" not null references erasures,
  destination_id text collate "C" not null,
  sequence bigint not null,
  event_id text collate "C" not null,
  primary key (erasure_id, destination_id, sequence)
);
comment on table erased_numbers is 'The number of an erased event at a destination, until an erasure record has it.';

create table erasure_records (
  id bigint generated always as identity primary key,
  erasure_id text collate "C" not null references erasures,
  log_id bigint not null references proof_logs,
  note text not null
);
comment on table erasure_records is 'A signed note of a log with indexes of erased events.';

create index erasure_records_by_log on erasure_records (log_id, id);
`;
