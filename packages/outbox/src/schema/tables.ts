import { publishingLimits } from '../generated/publishing-limits.js';

const { eventTypeForm, longestEventType, longestId } = publishingLimits;

/** The members of an event by which rows are found. The database computes them, so they never differ from the event. */
const GENERATED_COLUMNS = `
  type text not null generated always as (event ->> 'type') stored,
  resource_id text not null generated always as (event ->> 'resource_id') stored,
  -- Events of one resource have it in common. Where the name of a resource type ends is not known here.
  resource_group text not null generated always as (split_part(event ->> 'type', '_', 1)) stored`;

/** The tables of the outbox. */
export const tables = `
create sequence waybill_outbox.events_position_seq;

create table waybill_outbox.schema_version (version integer not null);

-- Events that wait for the relay. The order of the events of a resource is that of their positions.
create table waybill_outbox.events (
  position bigint primary key default waybill_outbox.next_position(),
  -- The id of the event at Waybill. A position is none: it repeats after a restore of this database.
  event_id uuid not null default gen_random_uuid(),
  recorded_at timestamptz not null default clock_timestamp(),${GENERATED_COLUMNS},
  event jsonb not null,
  -- Set by the relay: the event waits for a rejected one of its resource.
  held boolean not null default false,
  constraint event_has_type check (type ~ '${eventTypeForm}' and length(type) <= ${longestEventType}),
  constraint event_has_resource_id check (
    coalesce(jsonb_typeof(event -> 'resource_id') = 'string', false) and length(resource_id) between 1 and ${longestId}
  ),
  constraint event_has_object check (coalesce(jsonb_typeof(event -> 'object') = 'object', false)),
  constraint event_is_small check (octet_length(event::text) <= 524288)
);
alter sequence waybill_outbox.events_position_seq owned by waybill_outbox.events.position;
create index events_to_send on waybill_outbox.events (position) where not held;
create index events_held on waybill_outbox.events (resource_group, resource_id) where held;

-- Events that Waybill has refused.
create table waybill_outbox.rejected (
  event_id uuid not null,
  position bigint not null,
  recorded_at timestamptz not null,${GENERATED_COLUMNS},
  event jsonb not null,
  reason text not null,
  -- Of the response of Waybill.
  status integer,
  error_code text,
  detail jsonb,
  rejected_at timestamptz not null default clock_timestamp(),
  -- Whether later events of the resource wait.
  holds boolean not null,
  -- An application may record two events with one id. Waybill refuses them, and that must not stop the relay.
  primary key (event_id, position)
);
create index rejected_by_resource on waybill_outbox.rejected (resource_group, resource_id) where holds;

-- Edits of rejected events. The edited event has a member "repaired": who edited it, why and when.
create table waybill_outbox.repairs (
  event_id uuid not null,
  position bigint not null,
  original jsonb not null,
  event jsonb not null
);
create index repairs_of_event on waybill_outbox.repairs (event_id);

-- One row: whose turn it is, and what was done.
create table waybill_outbox.relay (
  only_row boolean primary key default true check (only_row),
  holder text,
  expires_at timestamptz,
  published bigint not null default 0,
  rejected bigint not null default 0,
  last_published_at timestamptz,
  last_error text,
  -- Counts how often rejected events were retried or discarded: relays look for lower positions again then.
  rewinds bigint not null default 0
);
`;
