import { sql, type Kysely } from 'kysely';

/** A release before it reports nothing, and records attempts without rejections. */
export const additive = true;

/** Finds the accounts in which a destination is subscribed to the health of others. */
export const indexes = [
  {
    name: 'event_routes_of_health',
    on: `event_routes (event_type, account_id)
      where event_type in ('event_destination_status_changed.v0', 'event_delivery_rejected.v0')`,
  },
];

const statements = [
  sql`alter table delivery_attempts add column rejections jsonb`,
  sql`create table unreported_rejections (
    id bigint generated always as identity primary key,
    destination_id text collate "C" not null,
    recorded_at timestamptz not null,
    rejections jsonb not null
  )`,
  sql`create index unreported_rejections_by_destination on unreported_rejections (destination_id, id)`,
  sql`create table reported_statuses (
    destination_id text collate "C" primary key,
    status text not null default 'healthy',
    reported_at timestamptz,
    changes integer not null default 0
  )`,
];

/** What the events about the health of destinations are made from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
