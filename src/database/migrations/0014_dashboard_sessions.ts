import { sql, type Kysely } from 'kysely';

/** The release before it works with this schema. */
export const additive = true;

/**
 * Sessions of the dashboard, by the hash of their token. Without a foreign key to the API key: it would add a check to
 * the deletion of every resource, and each request of a session checks its key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table dashboard_sessions (
    token_hash bytea primary key,
    account_id text collate "C" not null,
    key_id text collate "C" not null,
    expires_at timestamptz not null
  )`.execute(db);
}
