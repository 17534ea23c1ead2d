import { sql } from 'kysely';
import { vacuumOfLargeTables } from './vacuum-settings.js';

/** Events, which destinations get them, and the fan-outs, snapshots and backfills that are under way. */
export const events = sql`
-- Ids are UUIDv7: a range of ids is a range of times. Partitions are created while the service runs
-- (docs/decisions/retention.md). No foreign key leads from or to events: dropping a partition would lock the other
-- table, and search it.
create table events (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  type text not null,
  resource_id text collate "C" not null,
  payload text not null,
  created_at timestamptz not null,
  trace_parent text,
  -- What the payload says of the change, for searches.
  principal_id text collate "C",
  credential_id text collate "C",
  operation_id text collate "C",
  changed_fields text[],
  -- Of the payload: 16 random bytes, and SHA-256 of them and the canonical JSON. An erasure removes the salt.
  salt bytea,
  commitment bytea not null,
  -- The erasure that has removed the payload, the salt and what is searched.
  erasure_id text collate "C"
) partition by range (id);
comment on table events is 'An event of an account, with its payload. Partitioned by time.';

create index events_by_account on events (account_id, id);
create index events_by_type on events (account_id, type, id);
create index events_by_object on events (account_id, resource_id, id);
create index events_by_principal on events (account_id, principal_id, id);
create index events_by_credential on events (account_id, credential_id, id);
create index events_by_operation on events (account_id, operation_id, id);

create table events_default partition of events default with (${vacuumOfLargeTables});

-- Without a foreign key to the destination: a link of the subscription holds it already, and the check would scan the
-- routes at the deletion of every resource.
create table event_routes (
  account_id text collate "C" not null references accounts,
  event_type text not null,
  destination_id text collate "C" not null,
  subscription_id text collate "C" not null references resources on delete cascade,
  primary key (account_id, event_type, destination_id, subscription_id)
);
comment on table event_routes is 'A destination gets the events of a type, because of a subscription.';

create index event_routes_by_subscription on event_routes (subscription_id);
-- The accounts in which a destination is subscribed to the health of others.
create index event_routes_of_health on event_routes (event_type, account_id)
  where event_type in ('event_destination_status_changed.v0', 'event_delivery_rejected.v0');

create table event_route_fence ();
comment on table event_route_fence is
  'Without rows and columns: its lock orders fan-outs against new routes.';

-- No foreign key: it would cost every deletion of a resource a look. Rules without routes change nothing.
create table event_rules (
  account_id text collate "C" not null,
  event_type text collate "C" not null,
  subscription_id text collate "C" not null,
  filter text,
  fields jsonb,
  primary key (account_id, event_type, subscription_id)
);
comment on table event_rules is 'The filter and the fields of the source of a subscription.';

create index event_rules_by_subscription on event_rules (subscription_id);

create table event_projections (
  event_id text collate "C" not null,
  part int not null,
  destination_ids text[] not null,
  payload text not null,
  -- As in events.
  salt bytea,
  commitment bytea not null,
  primary key (event_id, part)
);
comment on table event_projections is
  'The payload of an event as some destinations get it. Every other destination gets the payload of the event.';

create table account_salts (
  account_id text collate "C" primary key references accounts,
  salt bytea not null
);
comment on table account_salts is 'The salt of the hashes in the projections of an account: 32 random bytes.';

-- The order of id is the order of the changes of one resource.
create table fan_out_parts (
  id bigint generated always as identity primary key,
  event_id text collate "C" not null,
  account_id text collate "C" not null,
  resource_id text collate "C" not null,
  destination_ids text[] not null,
  created_at timestamptz not null
);
-- Not compressed: the request of the change waits for the insert, and the rows are short-lived.
alter table fan_out_parts alter column destination_ids set storage external;
comment on table fan_out_parts is
  'A part of a fan-out that is finished in the background: destinations as they were when the event was recorded.';

create index fan_out_parts_by_resource on fan_out_parts (resource_id, id);
create index fan_out_parts_by_event on fan_out_parts (event_id);

create table event_snapshots (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts,
  subscription_id text collate "C" not null references resources on delete cascade,
  kind text not null,
  destination_ids text[] not null,
  operation_id text not null,
  base_url text not null,
  -- Resources up to this id are written.
  after_id text collate "C" not null default '',
  total bigint,
  passed bigint not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
comment on table event_snapshots is
  'The present state of the resources of one kind, which is written to new destinations of a subscription.';

create index event_snapshots_running on event_snapshots (account_id, kind) where finished_at is null;
create index event_snapshots_by_subscription on event_snapshots (subscription_id, id);

-- No foreign key: the writer of a resource must not wait for the walker.
create table event_snapshot_marks (
  snapshot_id text collate "C" not null,
  resource_id text collate "C" not null,
  primary key (snapshot_id, resource_id)
);
comment on table event_snapshot_marks is
  'A resource that a running snapshot skips: a change has written it, or it is new.';

create table backfills (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  destination_id text collate "C" not null references resources on delete cascade,
  state text not null default 'counting' check (state in ('counting', 'running', 'finished', 'cancelled')),
  from_time timestamptz not null,
  to_time timestamptz not null,
  types text[] not null,
  events_per_second integer not null,
  dry_run boolean not null,
  complete_since timestamptz,
  -- Events up to this id are counted, while it counts, or passed.
  after_id text collate "C" not null default '',
  total bigint not null default 0,
  queued bigint not null default 0,
  skipped bigint not null default 0,
  next_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  counted_at timestamptz,
  finished_at timestamptz,
  filter text,
  repeats_before timestamptz
);
comment on table backfills is 'A request for the earlier events of a destination.';

create index backfills_by_destination on backfills (destination_id, id);
-- One at a time for each destination. It also finds the unfinished ones.
create unique index backfills_unfinished on backfills (destination_id) where finished_at is null;
`;
