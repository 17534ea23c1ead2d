import { sql, type Kysely } from 'kysely';

/** A release before it neither has resource types nor reads these tables. */
export const additive = true;

const statements = [
  // What publishing reads: one row for each version of a resource type. `revision` is the version of the resource that
  // wrote the row last.
  sql`create table registered_type_versions (
    type_id text collate "C" not null references resources on delete cascade,
    version integer not null,
    revision integer not null,
    definition jsonb not null,
    primary key (type_id, version)
  )`,

  // `order_item_created` is either of the type `order_item` or of the type `order`: an account has each name once.
  sql`create table registered_event_names (
    account_id text collate "C" not null,
    event_name text collate "C" not null,
    type_id text collate "C" not null references resources on delete cascade,
    action text collate "C" not null,
    primary key (account_id, event_name)
  )`,
  sql`create index registered_event_names_by_type on registered_event_names (type_id)`,
];

/** The resource types of accounts, their versions, and the names of their events. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}

export const indexes = [
  {
    name: 'resource_types_by_name',
    unique: true,
    on: `resources (account_id, (attributes ->> 'name')) where kind = 'resource_type'`,
  },
];
