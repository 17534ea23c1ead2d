import { sql } from 'kysely';

/** Resources of every family, the references between them, and what their families keep beside them. */
export const resources = sql`
-- A renewal writes one small row, however many resources hang on the lease. No index on expires_at, so that the renewal
-- stays a heap-only update; looking through all leases now and then costs less.
create table leases (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts,
  expires_at timestamptz not null,
  content_hash bytea not null
) with (fillfactor = 50);
comment on table leases is
  'The lease of a resource that the data plane has reported, by the id of the resource. A report renews it.';

create table resources (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts,
  kind text not null,
  parent_id text collate "C" references resources on delete cascade,
  attributes jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  lease_id text collate "C" references leases
);
comment on table resources is
  'A resource of any family (kind), with its attributes. With a lease_id, it is visible until the lease expires.';

create index resources_by_kind on resources (account_id, kind, id);
create index resources_by_parent on resources (parent_id, id) where parent_id is not null;
create index resources_by_lease on resources (lease_id) where lease_id is not null;

-- Within one edge, no two routes have the same match_type and match.
create unique index https_edge_routes_by_match
  on resources (parent_id, (attributes ->> 'match_type'), (attributes ->> 'match')) where kind = 'https_edge_route';
-- Across all accounts: a name on the internet has one owner.
create unique index reserved_domains_by_domain on resources ((attributes ->> 'domain')) where kind = 'reserved_domain';
-- Among all accounts: the names that a wildcard covers.
create index reserved_domains_by_wildcard on resources (regexp_replace(attributes ->> 'domain', '^[^.]+', '*'))
  where kind = 'reserved_domain';
create unique index agent_ingresses_by_domain on resources ((attributes ->> 'domain')) where kind = 'agent_ingress';
create unique index resource_types_by_name on resources (account_id, (attributes ->> 'name'))
  where kind = 'resource_type';
-- Not unique: endpoints that are pooled share a url.
create index endpoints_by_url on resources ((attributes ->> 'url')) where kind = 'endpoint';
-- Among all accounts: the address as which the hostport of an endpoint is reserved.
create index reserved_addrs_by_addr on resources ((attributes ->> 'addr')) where kind = 'reserved_addr';
-- When the next check of a managed domain is due, RFC 3339 in UTC: read by the certificate checks.
create index resources_by_provisioning_due on resources ((attributes #>> '{provisioning,due_at}') collate "C")
  where kind in ('reserved_domain', 'agent_ingress') and attributes #>> '{provisioning,due_at}' is not null;

-- A plain reference to the target, without cascade: the database itself refuses to delete a resource that is referred
-- to.
create table resource_links (
  from_id text collate "C" not null references resources on delete cascade,
  role text not null,
  position integer not null,
  to_id text collate "C" not null references resources,
  primary key (from_id, role, position)
);
comment on table resource_links is 'A reference from one resource to another, and its position in a list of them.';

create index resource_links_by_referrer on resource_links (to_id, from_id);

-- Unlogged: a lost row costs a count. Half of each page stays free, so that an update stays on its page.
create unlogged table resource_allowances (
  account_id text collate "C" not null,
  kind text not null,
  row_number smallint not null,
  quota integer not null,
  free integer not null,
  primary key (account_id, kind, row_number)
) with (fillfactor = 50);
comment on table resource_allowances is
  'How many resources of a family an account may create before they are counted again, spread over several rows.';

create table assigned_addrs (addr text collate "C" primary key);
comment on table assigned_addrs is
  'An address that was ever assigned. It stays when the address is deleted: its old clients must not reach a stranger.';
`;
