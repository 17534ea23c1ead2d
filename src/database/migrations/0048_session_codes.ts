import { sql, type Kysely } from 'kysely';

/** The release before it works with this schema. */
export const additive = true;

/**
 * Sign-in codes, by their hash, and when each worker last showed that it lives. Without foreign keys, as
 * `dashboard_sessions`. `session_until`: the session of the code ends then at the latest; null: as usual.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table session_codes (
    code_hash bytea primary key,
    account_id text collate "C" not null,
    key_id text collate "C" not null,
    session_until timestamptz,
    expires_at timestamptz not null
  )`.execute(db);
  await sql`create index session_codes_by_key on session_codes (key_id, expires_at)`.execute(db);
  await sql`alter table worker_presences add column seen_at timestamptz`.execute(db);
}

/** Finds the sessions of an API key, in the order in which they expire. */
export const indexes = [{ name: 'dashboard_sessions_by_key', on: 'dashboard_sessions (key_id, expires_at)' }];
