import { sql, type Kysely } from 'kysely';

/** The releases before it refuse to start on this schema. */
export const additive = false;

/** Makes it cheap to say which keys remembered answers are sealed with, at every start. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index idempotency_keys_by_key on idempotency_keys (key_id) where key_id is not null`.execute(db);
}
