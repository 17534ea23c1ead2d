import { sql, type Kysely } from 'kysely';

/** The releases before it refuse to start on this schema. */
export const additive = false;

const statements = [
  // What is renewed stands by itself: a renewal writes one small row, however many resources hang on it. No index on
  // expires_at, so that it stays a heap-only update; looking through all leases now and then costs less.
  sql`create table leases (
    id text collate "C" primary key,
    account_id text collate "C" not null references accounts,
    expires_at timestamptz not null,
    content_hash bytea not null
  ) with (fillfactor = 50)`,

  sql`alter table resources add column lease_id text collate "C" references leases`,
  sql`create index resources_by_lease on resources (lease_id) where lease_id is not null`,

  // Not unique: endpoints that are pooled share a url.
  sql`create index endpoints_by_url on resources ((attributes ->> 'url')) where kind = 'endpoint'`,

  // What an endpoint's hostport is reserved as is looked for among all accounts.
  sql`create index reserved_addrs_by_addr on resources ((attributes ->> 'addr')) where kind = 'reserved_addr'`,
];

/** Resources that exist under a lease, endpoints found by their url, and addresses by their hostport. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
