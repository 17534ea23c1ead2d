import { sql, type Kysely } from 'kysely';

/** A release before it publishes no events. */
export const additive = true;

const statements = [
  // What publishing reads of a resource of a registered type, and the row that it locks. object: the last object as
  // JSON; null where the type does not need it, and after a deletion. Without a foreign key to the type: its deletion
  // must not delete millions of rows in one statement. A maintenance task does it in pages.
  sql`create table published_resources (
    type_id text collate "C" not null,
    resource_id text collate "C" not null,
    version bigint not null,
    object text,
    deleted_at timestamptz,
    primary key (type_id, resource_id)
  ) with (fillfactor = 80,
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000)`,
  sql`create index published_resources_deleted on published_resources (deleted_at) where deleted_at is not null`,
];

/** The resources of registered types. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
