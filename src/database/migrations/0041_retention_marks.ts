import { sql, type Kysely } from 'kysely';

/**
 * A release before it removes rows without a mark. Until the retention has passed once more, it removes only what was
 * recorded before this migration, which the first marks cover.
 */
export const additive = true;

/**
 * Since when each kind of rows is complete. It is unknown what earlier releases have removed, so an installation with
 * accounts begins with the time of this migration.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table retention_marks (kind text primary key, complete_since timestamptz not null)`.execute(db);
  await sql`
    insert into retention_marks (kind, complete_since)
    select kind, date_trunc('milliseconds', now()) from unnest(array['events', 'deliveries', 'attempts']) kind
    where exists (select from accounts)`.execute(db);
}
