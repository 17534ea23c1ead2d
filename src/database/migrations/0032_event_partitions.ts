import { sql, type Kysely } from 'kysely';
import { idBound, timeOfId } from '../../ids/id-time.js';
import { addDays, createDefaultPartition, startOfDay } from '../day-partitions.js';
import { eventTable, FIRST_EVENT_PARTITION } from '../event-partitions.js';

/**
 * A release before it cannot publish events: it asks for the unique index of their ids. Everything else of it works.
 */
export const additive = false;

/** Days ahead that belong to the first partition: time enough to finish an interrupted migration. */
const FIRST_DAYS_AHEAD = 15;

/** An interrupted migration continues with its bound while that is at least so many days ahead. */
const LEAST_DAYS_AHEAD = 2;

/** Ids of publishers that one statement copies. */
const COPIED = 5_000;

/**
 * Waits for the second and later locks, in milliseconds. Shorter than deadlock_timeout (1 s by default): in a circle of
 * waiting transactions, this one ends and is tried again, and no other fails.
 */
const FURTHER_LOCKS_MS = 300;

export const before = [
  { inTransaction: true, run: createPublisherIds },
  { inTransaction: false, run: copyPublisherIds },
  { inTransaction: true, run: dropForeignKeys },
  { inTransaction: true, run: boundFirstPartition },
  { inTransaction: false, run: validateBound },
];

/**
 * The ids of publishers: a table of their own, because a unique index of a partitioned table must contain its key. The
 * trigger writes them until `up`, also for processes of the release before.
 */
async function createPublisherIds(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create table if not exists publisher_ids (
      account_id text collate "C" not null,
      publisher_id text collate "C" not null,
      event_id text collate "C" not null,
      hash bytea not null,
      primary key (account_id, publisher_id)
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
      autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000,
      autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000)`,
    sql`create index if not exists publisher_ids_by_event on publisher_ids (event_id)`,
    sql`create or replace function copy_publisher_id() returns trigger language plpgsql set search_path from current as $$
      begin
        insert into publisher_ids (account_id, publisher_id, event_id, hash)
        values (new.account_id, new.publisher_id, new.id, new.publisher_hash) on conflict do nothing;
        return null;
      end $$`,
    sql`create or replace trigger events_publisher_id after insert on events
      for each row when (new.publisher_id is not null) execute function copy_publisher_id()`,
  ];
  for (const statement of statements) await statement.execute(db);
}

/** Copies the ids from before the trigger. */
async function copyPublisherIds(db: Kysely<unknown>): Promise<void> {
  let last: { account_id: string; publisher_id: string } | undefined = { account_id: '', publisher_id: '' };
  while (last) {
    const copied: { rows: { account_id: string; publisher_id: string }[] } = await sql<typeof last>`
      with page as materialized (
        select account_id, publisher_id, id, publisher_hash from events
        where publisher_id is not null and (account_id, publisher_id) > (${last.account_id}, ${last.publisher_id})
        order by account_id, publisher_id limit ${COPIED}
      ),
      copied as (
        insert into publisher_ids (account_id, publisher_id, event_id, hash)
        select account_id, publisher_id, id, publisher_hash from page on conflict do nothing
      )
      select account_id, publisher_id from page order by account_id desc, publisher_id desc limit 1`.execute(db);
    [last] = copied.rows;
  }
}

/**
 * Drops the foreign keys from and to events: with them, dropping a partition would lock the other table and search it.
 * All tables are locked in one statement, so that hardly a transaction can take one of them in between.
 */
async function dropForeignKeys(db: Kysely<unknown>): Promise<void> {
  await sql`do ${sql.lit(`begin
    if exists (select from pg_constraint where contype = 'f' and 'events'::regclass in (conrelid, confrelid)) then
      lock table events in access exclusive mode;
      perform set_config('lock_timeout', '${FURTHER_LOCKS_MS}ms', true);
      lock table deliveries, fan_out_parts, accounts in access exclusive mode;
      alter table deliveries drop constraint if exists deliveries_event_id_fkey;
      alter table fan_out_parts drop constraint if exists fan_out_parts_event_id_fkey;
      alter table events drop constraint if exists events_account_id_fkey;
    end if;
  end`)}`.execute(db);
}

/** Bounds the ids, behind each that there is: a clock may have been ahead. */
async function boundFirstPartition(db: Kysely<unknown>): Promise<void> {
  const now = new Date();
  const earlier = await boundOf(db);
  if (earlier !== null && timeOfId(earlier) > addDays(now, LEAST_DAYS_AHEAD)) return;
  await sql`lock table events in access exclusive mode`.execute(db);
  await sql`alter table events drop constraint if exists events_bound`.execute(db);
  const { rows } = await sql<{ last: string | null }>`select max(id) as last from events`.execute(db);
  const last = rows[0]?.last ?? null;
  const latest = last === null ? now : new Date(Math.max(now.getTime(), timeOfId(last).getTime()));
  const bound = idBound(eventTable.prefix, addDays(startOfDay(latest), FIRST_DAYS_AHEAD));
  await sql`alter table events add constraint events_bound check (id < ${sql.lit(bound)}) not valid`.execute(db);
}

/** Reads the whole table, while it is written. */
async function validateBound(db: Kysely<unknown>): Promise<void> {
  await sql`alter table events validate constraint events_bound`.execute(db);
}

async function boundOf(db: Kysely<unknown>): Promise<string | null> {
  const { rows } = await sql<{ bound: string | null }>`
    select substring(pg_get_constraintdef(oid) from $$'([^']+)'$$) as bound from pg_constraint
    where conrelid = 'events'::regclass and conname = 'events_bound'`.execute(db);
  return rows[0]?.bound ?? null;
}

/** Makes the table of events the first partition of a new one (docs/decisions/event-partitions.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const first = sql.id(FIRST_EVENT_PARTITION);
  await sql`lock table events in access exclusive mode`.execute(db);
  const bound = await boundOf(db);
  if (bound === null) throw new Error('The constraint events_bound is missing.');
  const statements = [
    sql`drop trigger events_publisher_id on events`,
    sql`drop function copy_publisher_id()`,
    sql`alter table events drop column publisher_id, drop column publisher_hash`,
    sql`alter table events rename to ${first}`,
    sql`alter index events_pkey rename to events_first_pkey`,
    sql`alter index events_by_account rename to events_first_by_account`,
    sql`alter index events_by_type rename to events_first_by_type`,
    sql`create table events (
      id text collate "C" primary key,
      account_id text collate "C" not null,
      type text not null,
      resource_id text collate "C" not null,
      payload text not null,
      created_at timestamptz not null,
      trace_parent text
    ) partition by range (id)`,
    sql`create index events_by_account on events (account_id, id)`,
    sql`create index events_by_type on events (account_id, type, id)`,
    sql`alter table events attach partition ${first} for values from (minvalue) to (${sql.lit(bound)})`,
    sql`alter table ${first} drop constraint events_bound`,
  ];
  for (const statement of statements) await statement.execute(db);
  await createDefaultPartition(db, eventTable);
}
