import { sql, type Kysely } from 'kysely';

/** The release before it works with this schema. */
export const additive = true;

const statements = [
  // Accounts with an event type whose fan-out may not fit into the transaction of a change (WideAccountStore). It
  // locks the accounts, so it is first: a transaction that creates an account writes it before its events.
  sql`create table wide_accounts (account_id text collate "C" primary key references accounts)`,
  sql`insert into wide_accounts
    select distinct account_id from event_routes
    group by account_id, event_type having count(distinct destination_id) > 2000`,

  // A fan-out that is finished in the background: its destinations, as they were when the event was recorded. The order
  // of id is the order of the changes of one resource.
  sql`create table fan_out_parts (
    id bigint generated always as identity primary key,
    event_id text collate "C" not null references events on delete cascade,
    account_id text collate "C" not null,
    resource_id text collate "C" not null,
    destination_ids text[] not null,
    created_at timestamptz not null
  )`,
  // Not compressed: the request of the change waits for the insert, and the rows are short-lived.
  sql`alter table fan_out_parts alter column destination_ids set storage external`,
  sql`create index fan_out_parts_by_resource on fan_out_parts (resource_id, id)`,
  sql`create index fan_out_parts_by_event on fan_out_parts (event_id)`,
];

/** The parts of fan-outs that are finished in the background (docs/decisions/wide-fan-outs.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
