import { sql } from 'kysely';
import { vacuumOfLargeTables } from './vacuum-settings.js';

/** Lanes of destinations, deliveries, and attempts. */
export const delivery = sql`
-- The batch in flight is in the row (batch_id null: idle): a claim writes this row and no other. revision counts claims
-- and releases; a claim whose snapshot shows another revision than the row that it locked is void. Every lane is updated
-- three times for each batch.
create table delivery_lanes (
  destination_id text collate "C" primary key references resources on delete cascade,
  account_id text collate "C" not null references accounts,
  target_kind text not null,
  revision bigint not null default 0,
  next_sequence bigint not null default 1,
  batch_id text collate "C",
  batch_delivery_ids bigint[],
  batch_first_sequence bigint,
  batch_attempts integer not null default 0,
  claimed_at timestamptz,
  -- The lease of the attempt that is being made.
  attempt_token text,
  attempt_until timestamptz,
  status text not null default 'healthy' check (status in ('healthy', 'retrying', 'misconfigured')),
  status_since timestamptz not null default now(),
  failures integer not null default 0,
  resume_at timestamptz,
  last_error_code text,
  last_error_message text,
  last_error_at timestamptz,
  -- The epoch of the numbers from epoch_first_sequence on; those before, oldest first (docs/decisions/epoch.md).
  epoch bigint not null default 1,
  epoch_first_sequence bigint not null default 1,
  earlier_epochs jsonb,
  -- No delivery with an id up to floor_id is pending: claims begin behind it. next_floor_id becomes the floor once every
  -- transaction up to next_floor_xid has ended (docs/delivery.md#the-floor).
  floor_id bigint not null default 0,
  next_floor_id bigint,
  next_floor_xid xid8,
  -- Of the last delivered record, where the target needs ascending ones (docs/decisions/order.md).
  latest_timestamp_ms bigint,
  -- Whether a source has had fields for the destination: its deliveries may have projections.
  projected boolean not null default false,
  -- Since when the lane is paused; the pauses that have ended, as far as a delivery waited in them
  -- (docs/decisions/destinations.md).
  paused_at timestamptz,
  pauses tstzmultirange,
  -- Until when its failures need nobody; null: it is not muted.
  muted_until timestamptz
) with (fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000);
-- Keeps the ids of a batch in the row.
alter table delivery_lanes alter column batch_delivery_ids set storage main;
comment on table delivery_lanes is
  'The state of a destination: its next number, the batch in flight with its lease, its status, floor, pauses and mute.';

-- A claim, and a settlement that keeps the status, change no indexed column: their update stays in the page.
-- Lanes that have not begun the epoch:
create index delivery_lanes_by_epoch on delivery_lanes (epoch);
-- The destinations of an account by their state. Postgres reads the index alone only where it has the columns of the
-- expression.
create index delivery_lanes_by_state
  on delivery_lanes (account_id, (case when paused_at is null then status else 'paused' end), destination_id)
  include (status, paused_at);

-- deleted_at is the clock, not the start of the transaction: fan-outs that begin in between still see the destination.
create table deleted_lanes (
  destination_id text collate "C" primary key,
  floor_id bigint not null,
  deleted_at timestamptz not null default clock_timestamp(),
  -- Null: the first pass is not finished.
  first_pass_at timestamptz
);
comment on table deleted_lanes is 'A deleted destination, until its waiting deliveries are cancelled.';

-- A lane goes with its destination, by cascade. The trigger is in the same transaction, whatever deletes it.
create function remember_deleted_lane() returns trigger language plpgsql set search_path from current as $$
begin
  insert into deleted_lanes (destination_id, floor_id) values (old.destination_id, old.floor_id)
  on conflict (destination_id) do nothing;
  return null;
end $$;
create trigger delivery_lanes_deleted after delete on delivery_lanes
  for each row execute function remember_deleted_lane();

-- The order of a destination is the order of id. A delivery in flight is in its lane's batch_delivery_ids; its sequence
-- follows from the claim, is written when its first attempt is settled, and never changes. No foreign key leads to the
-- destination, which can be deleted while its finished deliveries are kept. The key begins with the destination
-- although id alone is unique: with an index on id alone, a planner with old statistics may look for the next deliveries
-- of a destination by walking through every delivery.
create table deliveries (
  id bigint generated always as identity,
  event_id text collate "C" not null,
  destination_id text collate "C" not null,
  account_id text collate "C" not null,
  state text not null default 'pending' check (state = 'pending'),
  sequence bigint,
  batch_id text collate "C",
  attempts integer not null default 0,
  created_at timestamptz not null,
  error_code text,
  error_message text,
  -- The deadline counts from there.
  redelivered_at timestamptz,
  -- The batches and ends of the times before a redelivery, newest last.
  earlier_runs jsonb,
  -- The backfill that created the delivery; null for every other one.
  backfill_id text collate "C",
  primary key (destination_id, id)
) with (${vacuumOfLargeTables});
comment on table deliveries is 'An event that waits for a destination, or is being tried.';

-- Holds what the primary key holds. Without it, a claim by a plan that was made while nothing waited reads seven times as
-- many rows (test/delivery/prepared-plans.scale.test.ts).
create index deliveries_pending on deliveries (destination_id, id) where state = 'pending';
create index deliveries_by_event on deliveries (event_id);
create unique index deliveries_by_sequence on deliveries (destination_id, sequence) where sequence is not null;

-- The floor of a lane waits for transactions that may still commit a lower id, and knows them by their transaction ids.
-- So each transaction has its id before it draws one for a delivery.
create function assign_transaction_id() returns trigger language plpgsql as $$
begin
  perform pg_current_xact_id();
  return null;
end $$;
create trigger deliveries_inserted before insert on deliveries
  for each statement execute function assign_transaction_id();

-- The partition key is the event's id, which begins with its time: a day of events is a partition, which the worker
-- creates ahead, and what belongs to an event is in one of them. The primary key serves the deliveries of an event. The
-- columns of eight bytes are first: they need no padding there.
create table finished_deliveries (
  id bigint not null,
  sequence bigint,
  created_at timestamptz not null,
  finished_at timestamptz not null,
  redelivered_at timestamptz,
  attempts integer not null,
  event_id text collate "C" not null,
  destination_id text collate "C" not null,
  account_id text collate "C" not null,
  batch_id text collate "C",
  state text not null check (state in ('delivered', 'rejected', 'expired', 'cancelled')),
  error_code text,
  error_message text,
  earlier_runs jsonb,
  backfill_id text collate "C",
  primary key (event_id, id)
) partition by range (event_id);
comment on table finished_deliveries is 'A finished delivery. Partitioned by the day of its event.';

create index finished_deliveries_by_destination on finished_deliveries (destination_id, id);
create index finished_deliveries_by_state on finished_deliveries (destination_id, state, created_at, id);
create index finished_deliveries_by_sequence on finished_deliveries (destination_id, sequence)
  where sequence is not null;
-- The account is first in both: the deliveries of another account cost a request nothing.
create index finished_deliveries_undelivered on finished_deliveries (account_id, state, id)
  where state in ('rejected', 'expired');
create index finished_deliveries_undelivered_by_destination
  on finished_deliveries (account_id, destination_id, state, id)
  where state in ('rejected', 'expired');
-- Whether anything of a day finished lately. Rows are added in that order: a summary of each range of pages is enough.
create index finished_deliveries_by_end on finished_deliveries using brin (finished_at);

create table finished_deliveries_default partition of finished_deliveries default;

-- A step redelivers a part of one destination: at_destination_id, at_state and at_time are where the next one begins.
-- at_state null: the destination is done.
create table recoveries (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts,
  state text not null default 'running' check (state in ('running', 'finished', 'cancelled')),
  states text[] not null,
  from_time timestamptz not null,
  to_time timestamptz not null,
  destination_ids text[],
  total integer,
  redelivered bigint not null default 0,
  destinations_done integer not null default 0,
  at_destination_id text collate "C",
  at_state text,
  at_time timestamptz,
  claimed_until timestamptz not null default now(),
  principal_id text collate "C" not null,
  principal_subject text not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
comment on table recoveries is 'A request to redeliver what several destinations did not receive, with its progress.';

create index recoveries_by_account on recoveries (account_id, id);
-- One at a time for each account. It also finds the unfinished ones.
create unique index recoveries_unfinished on recoveries (account_id) where finished_at is null;

create view all_deliveries as
  select id, event_id, destination_id, account_id, state, sequence, batch_id, attempts, created_at,
    null::timestamptz as finished_at, error_code, error_message, redelivered_at, earlier_runs, backfill_id
  from deliveries
  union all
  select id, event_id, destination_id, account_id, state, sequence, batch_id, attempts, created_at, finished_at,
    error_code, error_message, redelivered_at, earlier_runs, backfill_id
  from finished_deliveries;
comment on view all_deliveries is 'Every delivery: those that wait, and the finished ones.';

create table delivery_attempts (
  id bigint generated always as identity primary key,
  batch_id text collate "C" not null,
  destination_id text collate "C" not null,
  number integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  records integer not null,
  delivered integer not null,
  retried integer not null,
  rejected integer not null,
  outcome text not null,
  code text,
  message text,
  http_status integer,
  -- The clock when the attempt is recorded.
  recorded_at timestamptz not null default clock_timestamp(),
  -- Pairs of a bucket and its count.
  latencies integer[],
  rejections jsonb
) with (${vacuumOfLargeTables});
comment on table delivery_attempts is 'An attempt at a batch. The attempts of a delivery are those of its batch.';

-- A batch that is tried for days has hundreds of attempts, and a list shows the last few.
create index delivery_attempts_by_batch on delivery_attempts (batch_id, number);
`;
