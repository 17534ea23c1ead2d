import { sql, type Kysely } from 'kysely';

/** The release before it works with this schema. */
export const additive = true;

/** Vacuum thresholds of attempts in rows, whatever the size of the table (docs/decisions/lane-floor.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table delivery_attempts set (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
    autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000)`.execute(db);
}
