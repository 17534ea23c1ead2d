import { sql, type Kysely } from 'kysely';

/** The release before it works with this schema. */
export const additive = true;

/** `session_hash`: the hash of the session that made the code, which ends with it; null: an API key made it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table session_codes add column session_hash bytea`.execute(db);
}
