import { sql } from 'kysely';
import { vacuumOfLargeTables } from './vacuum-settings.js';

/** The logs that prove what was delivered. */
export const proof = sql`
-- No foreign key to the destination: its logs remain when it is deleted.
create table proof_logs (
  id bigint generated always as identity primary key,
  destination_id text collate "C" not null,
  account_id text collate "C" not null,
  epoch bigint not null,
  first_sequence bigint not null,
  size bigint not null default 0,
  root bytea not null,
  -- The last checkpoint, a signed note; null before the first one. signed_at is then the time of the row.
  note text,
  signed_size bigint not null default 0,
  signed_at timestamptz not null default now(),
  -- The newest checkpoint with cosignatures; null before the first one.
  cosigned_note text,
  cosigned_size bigint not null default 0,
  -- When the last checkpoint is sent to cosigners; null: not.
  cosign_at timestamptz,
  -- Since when a leaf that is not that of a checkpoint is in no checkpoint.
  unsigned_since timestamptz,
  -- It may grow: the log of the last epoch of a destination that exists, or one that has not all numbers yet.
  is_open boolean not null default true,
  -- When it last had every recorded number.
  complete_at timestamptz not null default now(),
  next_at timestamptz not null,
  unique (destination_id, epoch)
) with (fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000);
comment on table proof_logs is
  'The log of a destination in an epoch: a Merkle tree of its recorded numbers, with the last signed checkpoint.';

create unique index proof_logs_open on proof_logs (destination_id) where is_open;

create index proof_logs_to_cosign on proof_logs (cosign_at) where cosign_at is not null;

create table proof_tiles (
  log_id bigint not null references proof_logs on delete cascade,
  level int not null,
  index bigint not null,
  hashes bytea not null,
  primary key (log_id, level, index)
) with (${vacuumOfLargeTables});
-- Hashes cannot be compressed.
alter table proof_tiles alter column hashes set storage external;
comment on table proof_tiles is
  'Up to 256 hashes of a log, one after the other: of its leaves, or of full tiles of the level below.';
`;
