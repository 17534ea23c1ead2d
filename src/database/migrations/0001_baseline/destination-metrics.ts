import { sql } from 'kysely';

/** Counts of attempts, and what the events about the health of destinations are made from. */
export const destinationMetrics = sql`
${rollup('destination_minutes')}
comment on table destination_minutes is 'What the attempts at the batches of a destination did in one minute.';
${rollup('destination_hours')}
comment on table destination_hours is 'What the attempts at the batches of a destination did in one hour.';

create table uncounted_expiries (
  id bigint generated always as identity primary key,
  destination_id text collate "C" not null,
  recorded_at timestamptz not null default clock_timestamp(),
  expired integer not null
);
comment on table uncounted_expiries is 'Deliveries that expired without an attempt, until they are rolled up.';

create table attempt_rollup (
  id boolean primary key default true check (id),
  counted_id bigint not null,
  -- The next attempts, up to next_id, are rolled up when every transaction up to next_xid has ended.
  next_id bigint,
  next_xid xid8,
  next_at timestamptz,
  -- Attempts that were recorded before this time are in the roll-ups.
  complete_until timestamptz not null
) with (fillfactor = 50);
comment on table attempt_rollup is 'One row: the attempts up to counted_id are in the minutes and hours.';
insert into attempt_rollup (counted_id, complete_until) values (0, now());

-- Adds up the counts of pairs with the same bucket.
create function merged_latencies(pairs bigint[]) returns bigint[] language sql immutable as $$
  select coalesce(array_agg(array[bucket, count] order by bucket), '{}')
  from (
    select pairs[i][1] as bucket, sum(pairs[i][2])::bigint as count
    from generate_subscripts(pairs, 1) as i group by 1
  ) merged
$$;

create table unreported_rejections (
  id bigint generated always as identity primary key,
  destination_id text collate "C" not null,
  recorded_at timestamptz not null,
  rejections jsonb not null
);
comment on table unreported_rejections is 'Rejected deliveries of one attempt, until an event reports them.';

create index unreported_rejections_by_destination on unreported_rejections (destination_id, id);

create table reported_statuses (
  destination_id text collate "C" primary key,
  status text not null default 'healthy',
  reported_at timestamptz,
  -- Events since the destination was last quiet.
  changes integer not null default 0
);
comment on table reported_statuses is 'The status of a destination that the last event about it reported.';
`;

/** Most rows are updated a few times while they are new. The index finds what is older than the retention. */
function rollup(name: string) {
  return sql`
create table ${sql.id(name)} (
  destination_id text collate "C" not null,
  begins_at timestamptz not null,
  attempts bigint not null,
  records bigint not null,
  -- Records of the largest batch; null without an attempt.
  largest_batch integer,
  delivered bigint not null,
  retried bigint not null,
  rejected bigint not null,
  expired bigint not null,
  latencies bigint[] not null,
  primary key (destination_id, begins_at)
) with (fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000);
create index ${sql.id(`${name}_by_time`)} on ${sql.id(name)} (begins_at);`;
}
