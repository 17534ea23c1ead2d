import { sql } from 'kysely';

/** Kinds of resources that configure the data plane. */
const kinds = sql.raw(`'agent_ingress', 'certificate_authority', 'endpoint', 'endpoint_configuration',
  'failover_backend', 'http_response_backend', 'https_edge', 'https_edge_route', 'ip_policy', 'ip_policy_rule',
  'reserved_addr', 'reserved_domain', 'tcp_edge', 'tls_certificate', 'tunnel_group_backend'`);

/** The feed of changes that the data plane follows. */
export const configurationFeed = sql`
create table configuration_changes (
  resource_id text collate "C" primary key,
  account_id text collate "C" not null,
  kind text not null,
  tx xid8 not null,
  deleted_at timestamptz
);
comment on table configuration_changes is
  'The last change of a resource that configures the data plane. A deleted resource keeps its row for a while.';

create index configuration_changes_by_tx on configuration_changes (tx, resource_id);
create index configuration_deletions on configuration_changes (deleted_at) where deleted_at is not null;

create table configuration_horizon (tx xid8 not null);
comment on table configuration_horizon is 'One row: deletions before this transaction may have been forgotten.';
insert into configuration_horizon (tx) values ('0');

-- Triggers, and not the statements of the service: deletions cascade.
create function record_configuration_change() returns trigger language plpgsql set search_path from current as $$
declare
  changed record;
begin
  if tg_op = 'DELETE' then changed := old; else changed := new; end if;
  insert into configuration_changes (resource_id, account_id, kind, tx, deleted_at)
  values (changed.id, changed.account_id, changed.kind, pg_current_xact_id(), case when tg_op = 'DELETE' then now() end)
  on conflict (resource_id) do update set tx = excluded.tx, deleted_at = excluded.deleted_at;
  return null;
end $$;
create trigger configuration_written after insert or update on resources
  for each row when (new.kind in (${kinds})) execute function record_configuration_change();
create trigger configuration_deleted after delete on resources
  for each row when (old.kind in (${kinds})) execute function record_configuration_change();
`;
