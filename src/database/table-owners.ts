import type { Tables } from './tables.js';

/** Tables that no statement names through Kysely's types. */
type OtherTables =
  | 'attempt_rollup'
  | 'configuration_horizon'
  | 'deleted_lanes'
  | 'destination_hours'
  | 'destination_minutes'
  | 'erased_numbers'
  | 'erasure_records'
  | 'erasures'
  | 'event_projections'
  | 'event_route_fence'
  | 'installation'
  | 'proof_logs'
  | 'proof_tiles'
  | 'published_resources'
  | 'publisher_ids'
  | 'reported_statuses'
  | 'resource_allowances'
  | 'resource_type_event_names'
  | 'resource_type_versions'
  | 'schema_migrations'
  | 'uncounted_expiries'
  | 'unreported_rejections';

/** The folder of `src` that owns each table and view: what a row means is decided there. */
export const tableOwners: Readonly<Record<keyof Tables | OtherTables, string>> = {
  account_salts: 'events',
  accounts: 'accounts',
  all_deliveries: 'delivery',
  api_tokens: 'accounts',
  assigned_addrs: 'resources',
  attempt_rollup: 'delivery',
  backfills: 'destinations',
  configuration_changes: 'data-plane',
  configuration_horizon: 'data-plane',
  deleted_lanes: 'delivery',
  deliveries: 'delivery',
  delivery_attempts: 'delivery',
  delivery_lanes: 'delivery',
  destination_hours: 'delivery',
  destination_minutes: 'delivery',
  erased_numbers: 'erasures',
  erasure_records: 'erasures',
  erasures: 'erasures',
  event_projections: 'events',
  event_route_fence: 'events',
  event_routes: 'events',
  event_rules: 'events',
  event_snapshot_marks: 'events',
  event_snapshots: 'events',
  events: 'events',
  exports: 'exports',
  fan_out_parts: 'delivery',
  finished_deliveries: 'delivery',
  idempotency_keys: 'http',
  installation: 'delivery',
  leases: 'data-plane',
  log_keys: 'secrets',
  maintenance_tasks: 'maintenance',
  proof_logs: 'proof',
  proof_tiles: 'proof',
  published_resources: 'events',
  publisher_ids: 'events',
  recoveries: 'destinations',
  reported_statuses: 'destinations',
  resource_allowances: 'resources',
  resource_links: 'resources',
  resource_type_event_names: 'events',
  resource_type_versions: 'events',
  resources: 'resources',
  retention_marks: 'database',
  schema_migrations: 'database',
  secret_key_checks: 'secrets',
  secrets: 'secrets',
  session_codes: 'accounts',
  sessions: 'accounts',
  uncounted_expiries: 'delivery',
  unreported_rejections: 'delivery',
  worker_presences: 'delivery',
};
