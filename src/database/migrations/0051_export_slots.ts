import { sql, type Kysely } from 'kysely';

/**
 * A release before it takes no notice of `is_large`. It does not record where its files are: they count as files of the
 * present storage, as before.
 */
export const additive = true;

/**
 * `is_large`: the export has taken longer than an attempt at a small one may. `storages`: where files of its attempts
 * may be, that of the latest attempt last (docs/decisions/exports.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table exports
      add column is_large boolean not null default false,
      add column storages text[] not null default '{}'`.execute(db);
}
