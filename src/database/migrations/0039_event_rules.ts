import { sql, type Kysely } from 'kysely';

/** The release before it works with this schema: it sends every event of a source, in full. */
export const additive = true;

const statements = [
  // What a source says beside its type. A fan-out reads whether its event type has any. No foreign key: it would cost
  // every deletion of a resource a look. Rules without routes change nothing.
  sql`create table event_rules (
    account_id text collate "C" not null,
    event_type text collate "C" not null,
    subscription_id text collate "C" not null,
    filter text,
    fields jsonb,
    primary key (account_id, event_type, subscription_id)
  )`,
  sql`create index event_rules_by_subscription on event_rules (subscription_id)`,

  // Payloads as some destinations of an event receive them. The payload of every other destination is the event's.
  sql`create table event_projections (
    event_id text collate "C" not null,
    part int not null,
    destination_ids text[] not null,
    payload text not null,
    primary key (event_id, part)
  )`,

  // The salt of the hashes in projections: 32 random bytes.
  sql`create table account_salts (account_id text collate "C" primary key references accounts, salt bytea not null)`,

  // Whether a source has had fields for the destination: its deliveries may have projections.
  sql`alter table delivery_lanes add column if not exists projected boolean not null default false`,
];

/** Filters and fields of the sources of subscriptions (docs/decisions/filters.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
