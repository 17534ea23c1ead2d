import { sql, type Kysely } from 'kysely';

/** A release before it publishes no events. */
export const additive = true;

/** Of a published event: its id at the publisher, and the SHA-256 of its content. They go with the event. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table events add column publisher_id text collate "C", add column publisher_hash bytea`.execute(db);
}

export const indexes = [
  {
    name: 'events_by_publisher_id',
    unique: true,
    on: 'events (account_id, publisher_id) where publisher_id is not null',
  },
];
