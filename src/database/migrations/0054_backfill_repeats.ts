import { sql, type Kysely } from 'kysely';

/** A process of a release before leaves the column null: its backfills do not warn. */
export const additive = true;

/** Since when the records of earlier deliveries show what a backfill would repeat. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table backfills add column repeats_before timestamptz`.execute(db);
}
