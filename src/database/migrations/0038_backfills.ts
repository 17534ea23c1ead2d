import { sql, type Kysely } from 'kysely';

/** A worker of a release before it would send backfilled events without their mark. */
export const additive = false;

export const before = [
  // The backfill that created the delivery; null for every other delivery.
  { inTransaction: true, run: (db: Kysely<unknown>) => addMark(db, 'deliveries') },
  { inTransaction: true, run: (db: Kysely<unknown>) => addMark(db, 'delivery_history') },
  { inTransaction: true, run: showMark },
];

async function addMark(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`alter table ${sql.table(table)} add column if not exists backfill_id text collate "C"`.execute(db);
}

const columns = sql`id, event_id, destination_id, account_id, state, sequence, batch_id, attempts, created_at,
  finished_at, error_code, error_message, redelivered_at, earlier_runs, backfill_id`;

async function showMark(db: Kysely<unknown>): Promise<void> {
  await sql`create or replace view all_deliveries as
    select ${columns} from deliveries union all select ${columns} from delivery_history`.execute(db);
}

const statements = [
  // A request for the earlier events of a destination. Events up to after_id are counted, while it counts, or passed.
  sql`create table backfills (
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
    after_id text collate "C" not null default '',
    total bigint not null default 0,
    queued bigint not null default 0,
    skipped bigint not null default 0,
    next_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    counted_at timestamptz,
    finished_at timestamptz
  )`,
  sql`create index backfills_by_destination on backfills (destination_id, id)`,
  // One at a time for each destination. It also finds the unfinished ones.
  sql`create unique index backfills_unfinished on backfills (destination_id) where finished_at is null`,
];

/** Backfills, and the mark of the deliveries that they create (docs/decisions/backfills.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
