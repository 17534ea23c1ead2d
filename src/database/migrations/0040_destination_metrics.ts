import { sql, type Kysely } from 'kysely';

/** A release before it records attempts without latencies. The default of `recorded_at` holds for its attempts too. */
export const additive = true;

const statements = [
  // recorded_at: the clock when the attempt is recorded; null in earlier attempts, which a rewrite would fill.
  // latencies: pairs of a bucket and its count.
  sql`alter table delivery_attempts add column recorded_at timestamptz, add column latencies integer[]`,
  sql`alter table delivery_attempts alter column recorded_at set default clock_timestamp()`,

  rollup('destination_minutes'),
  rollup('destination_hours'),
  // Finds what is older than the retention.
  sql`create index destination_minutes_by_time on destination_minutes (begins_at)`,
  sql`create index destination_hours_by_time on destination_hours (begins_at)`,

  // What expired without an attempt, until it is rolled up.
  sql`create table uncounted_expiries (
    id bigint generated always as identity primary key,
    destination_id text collate "C" not null,
    recorded_at timestamptz not null default clock_timestamp(),
    expired integer not null
  )`,

  // One row. next_…: what is rolled up when every transaction up to next_xid has ended.
  sql`create table attempt_rollup (
    id boolean primary key default true check (id),
    counted_id bigint not null,
    next_id bigint,
    next_xid xid8,
    next_at timestamptz,
    complete_until timestamptz not null
  ) with (fillfactor = 50)`,
  sql`insert into attempt_rollup (counted_id, complete_until)
    select 0, case when exists (select from delivery_attempts) then now() - interval '30 days' else now() end`,

  // Adds up the counts of pairs with the same bucket.
  sql`create function merged_latencies(pairs bigint[]) returns bigint[] language sql immutable as $$
    select coalesce(array_agg(array[bucket, count] order by bucket), '{}')
    from (
      select pairs[i][1] as bucket, sum(pairs[i][2])::bigint as count
      from generate_subscripts(pairs, 1) as i group by 1
    ) merged $$`,
];

/** Counts of the attempts of each destination. Most rows are updated a few times while they are new. */
function rollup(name: string) {
  return sql`create table ${sql.id(name)} (
    destination_id text collate "C" not null,
    begins_at timestamptz not null,
    attempts bigint not null,
    records bigint not null,
    largest_batch integer,
    delivered bigint not null,
    retried bigint not null,
    rejected bigint not null,
    expired bigint not null,
    latencies bigint[] not null,
    primary key (destination_id, begins_at)
  ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000)`;
}

/** The roll-ups of attempts for the metrics of destinations. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
