import { sql, type Kysely } from 'kysely';

/** A process of a release before it would send what the filter leaves out. */
export const additive = false;

/** The filter of a backfill: an expression in CEL; null takes every event. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table backfills add column filter text`.execute(db);
}
