import { sql, type Kysely } from 'kysely';
import type { Logger } from '../../logging/logger.js';
import { indexPartitions } from '../partition-indexes.js';

/** A release before it inserts events without the new columns: the trigger fills them. */
export const additive = true;

/** Indexes on `events`, by the end of their names: what each is on. */
const eventIndexes: Readonly<Record<string, string>> = {
  by_object: '(account_id, resource_id, id)',
  by_principal: '(account_id, principal_id, id)',
  by_credential: '(account_id, credential_id, id)',
  by_operation: '(account_id, operation_id, id)',
};

export const before = [
  { inTransaction: true, run: addColumns },
  {
    inTransaction: false,
    run: (db: Kysely<unknown>, logger: Logger) => indexPartitions(db, 'events', eventIndexes, logger),
  },
];

/**
 * Reads the columns from a payload. `json` reads only the members that are asked for, so that an escape that Postgres
 * cannot store fails only there; such an event has no values. `searchKeysOf` in src/events is the same for new events.
 */
const searchKeys = sql`create or replace function event_search_keys(payload text,
    out principal_id text, out credential_id text, out operation_id text, out changed_fields text[])
  language plpgsql stable set search_path from current as $$
  declare
    event json;
  begin
    event := payload::json;
    principal_id := event #>> '{principal,id}';
    credential_id := coalesce(event #>> '{principal,credential,id}', event #>> '{principal,via,id}');
    operation_id := event #>> '{request,operation_id}';
    if event -> 'changes' is not null then
      changed_fields := array(
        select distinct name from (
          select json_object_keys(event #> '{changes,before}') as name
          union all select json_object_keys(event #> '{changes,after}')
          union all select json_array_elements_text(coalesce(event #> '{changes,omitted}', '[]'))
        ) names);
    end if;
  exception when data_exception or program_limit_exceeded then
    null;
  end $$`;

const fillSearchKeys = sql`create or replace function fill_event_search_keys() returns trigger
  language plpgsql set search_path from current as $$
  begin
    select * into new.principal_id, new.credential_id, new.operation_id, new.changed_fields
    from event_search_keys(new.payload);
    return new;
  end $$`;

/**
 * Adds the columns, and the trigger that fills them for writers that do not. The row of event_search_fill is the
 * position of the task that fills those of earlier events: it is absent where there are none.
 */
async function addColumns(db: Kysely<unknown>): Promise<void> {
  await sql`lock table events in access exclusive mode`.execute(db);
  const { rows } = await sql<{ name: string | null }>`select to_regclass('event_search_fill') as name`.execute(db);
  if (rows[0]?.name != null) return;
  const statements = [
    sql`alter table events add column principal_id text collate "C", add column credential_id text collate "C",
      add column operation_id text collate "C", add column changed_fields text[]`,
    searchKeys,
    fillSearchKeys,
    sql`create trigger events_search_keys before insert on events
      for each row when (new.operation_id is null) execute function fill_event_search_keys()`,
    // Ids begin with evt_0 to evt_7.
    sql`create table event_search_fill (
      before_id text collate "C" not null,
      complete_since timestamptz not null
    )`,
    sql`insert into event_search_fill (before_id, complete_since)
      select 'evt_8', clock_timestamp() where exists (select from events)`,
  ];
  for (const statement of statements) await statement.execute(db);
}

/**
 * Creates the indexes of the table. Postgres takes the equal ones of the partitions for them, so this builds one only
 * for a partition that was created since then, which is empty.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [end, columns] of Object.entries(eventIndexes)) {
    await sql`create index ${sql.id(`events_${end}`)} on events ${sql.raw(columns)}`.execute(db);
  }
}
