import { sql, type Kysely } from 'kysely';

/**
 * A release before it removes files of exports without a mark: those that the first mark covers, until
 * RETENTION_EXPORTS_DAYS have passed.
 */
export const additive = true;

/**
 * Since when the files of exports are complete. Exports are forgotten some time after their files were removed, so an
 * installation with accounts begins with the time of this migration.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into retention_marks (kind, complete_since)
    select 'exports', date_trunc('milliseconds', now()) where exists (select from accounts)
    on conflict (kind) do nothing`.execute(db);
}
