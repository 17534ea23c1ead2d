import { sql } from 'kysely';
import { vacuumOfLargeTables } from './vacuum-settings.js';

/** Resource types of accounts, and the events that accounts publish of such resources. */
export const publishing = sql`
create table resource_type_versions (
  type_id text collate "C" not null references resources on delete cascade,
  version integer not null,
  -- The version of the resource that wrote the row last.
  revision integer not null,
  definition jsonb not null,
  primary key (type_id, version)
);
comment on table resource_type_versions is 'A version of a resource type, as publishing reads it.';

-- order_item_created is either of the type order_item or of the type order: an account has each name once.
create table resource_type_event_names (
  account_id text collate "C" not null,
  event_name text collate "C" not null,
  type_id text collate "C" not null references resources on delete cascade,
  action text collate "C" not null,
  primary key (account_id, event_name)
);
comment on table resource_type_event_names is 'The name of an event that a resource type has.';

create index resource_type_event_names_by_type on resource_type_event_names (type_id);

-- Without a foreign key to the type: its deletion must not delete millions of rows in one statement. A maintenance task
-- does it in pages.
create table published_resources (
  type_id text collate "C" not null,
  resource_id text collate "C" not null,
  version bigint not null,
  -- The last object as JSON; null where the type does not need it, and after a deletion.
  object text,
  deleted_at timestamptz,
  primary key (type_id, resource_id)
) with (fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000);
comment on table published_resources is
  'A published resource: what publishing compares, and the row that it locks.';

create index published_resources_deleted on published_resources (deleted_at) where deleted_at is not null;

-- A table of its own: a unique index of the partitioned events would have to contain their id.
create table publisher_ids (
  account_id text collate "C" not null,
  publisher_id text collate "C" not null,
  event_id text collate "C" not null,
  -- SHA-256 of the content.
  hash bytea not null,
  primary key (account_id, publisher_id)
) with (${vacuumOfLargeTables});
comment on table publisher_ids is 'The id that a publisher gave an event, and the hash of the content of the event.';

create index publisher_ids_by_event on publisher_ids (event_id);
`;
