import { sql, type Kysely } from 'kysely';

/** The releases before it refuse to start on this schema. */
export const additive = false;

const statements = [
  // Across all accounts: a name on the internet has one owner.
  sql`create unique index reserved_domains_by_domain on resources ((attributes ->> 'domain'))
    where kind = 'reserved_domain'`,
  sql`create unique index agent_ingresses_by_domain on resources ((attributes ->> 'domain'))
    where kind = 'agent_ingress'`,

  // Every address that was ever assigned. Rows stay when the address is deleted: its old clients must not reach a
  // stranger.
  sql`create table assigned_addrs (addr text collate "C" primary key)`,

  // What the sweeper of certificates looks through: when the next check of a managed domain is due, RFC 3339 in UTC.
  sql`create index resources_by_provisioning_due on resources ((attributes #>> '{provisioning,due_at}') collate "C")
    where kind in ('reserved_domain', 'agent_ingress') and attributes #>> '{provisioning,due_at}' is not null`,
];

/** Names and addresses that exist once, and the schedule of managed certificates. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
