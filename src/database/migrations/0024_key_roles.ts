import { sql, type Kysely } from 'kysely';

/**
 * A release before it finds no key with another role than `admin`: the stored hash of such a key is not that of its
 * token alone (`hashKeyToken`).
 */
export const additive = true;

/** The role of each API key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table api_tokens add column role text not null default 'admin'`.execute(db);
}
