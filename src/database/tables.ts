import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

type Json = ColumnType<Record<string, unknown>, string, string>;
/** Has a default in the database. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;

export interface AccountsTable {
  id: string;
  name: string;
  created_at: Generated<Date>;
}

export interface ResourcesTable {
  id: string;
  account_id: string;
  kind: string;
  parent_id: string | null;
  /** The resource is visible only until this lease expires. */
  lease_id: string | null;
  attributes: Json;
  version: Generated<number>;
  created_at: Date;
  updated_at: Date;
}

/** Leases of what the data plane has reported; a report renews its lease. */
export interface LeasesTable {
  /** Id of the leased resource. */
  id: string;
  account_id: string;
  expires_at: Date;
  /** Hash of the report: an unchanged report only renews the lease. */
  content_hash: Buffer;
}

export interface ResourceLinksTable {
  from_id: string;
  role: string;
  position: number;
  to_id: string;
}

export interface SecretsTable {
  resource_id: string;
  field: string;
  key_id: string;
  nonce: Buffer;
  ciphertext: Buffer;
}

export interface SecretKeyChecksTable {
  key_id: string;
  nonce: Buffer;
  ciphertext: Buffer;
}

export interface ApiTokensTable {
  key_id: string;
  account_id: string;
  owner_id: string;
  token_hash: Buffer;
}

export interface IdempotencyKeysTable {
  api_key_id: string;
  idempotency_key: string;
  request_hash: Buffer;
  /** The request that holds the key: only that request writes the response. */
  operation_id: string;
  /** Null until the response. The body is encrypted, because it may hold a token. */
  status: number | null;
  headers: ColumnType<Record<string, string> | null, string | null, string | null>;
  key_id: string | null;
  nonce: Buffer | null;
  ciphertext: Buffer | null;
  created_at: Generated<Date>;
}

export interface EventsTable {
  id: string;
  account_id: string;
  type: string;
  resource_id: string;
  /** The payload as compact JSON without `sequence`, which each delivery has of its own. */
  payload: string;
  created_at: Date;
  /** W3C `traceparent` of the span that recorded the event. */
  trace_parent: string | null;
}

export interface EventRoutesTable {
  account_id: string;
  event_type: string;
  destination_id: string;
  subscription_id: string;
}

export type LaneStatus = 'healthy' | 'retrying' | 'misconfigured';

export interface DeliveryLanesTable {
  destination_id: string;
  account_id: string;
  target_kind: string;
  revision: Generated<number>;
  next_sequence: Generated<number>;
  batch_id: string | null;
  /** The deliveries of the batch, in order. */
  batch_delivery_ids: number[] | null;
  /** Sequence of the first delivery of the batch that has none yet; the others follow in order. */
  batch_first_sequence: number | null;
  /** Attempts made at the batch. */
  batch_attempts: Generated<number>;
  claimed_at: Date | null;
  attempt_token: string | null;
  attempt_until: Date | null;
  status: Defaulted<LaneStatus>;
  status_since: Generated<Date>;
  failures: Generated<number>;
  resume_at: Date | null;
  last_error_code: string | null;
  last_error_message: string | null;
  last_error_at: Date | null;
}

export type DeliveryState = 'pending' | 'delivered' | 'rejected' | 'expired';

/** How a delivery ended before a redelivery. */
export interface EarlierRun {
  readonly batch_id: string;
  readonly attempts: number;
  /** The state at its end; `pending` where the batch was dissolved after a refusal as a whole. */
  readonly state: DeliveryState;
  readonly code: string | null;
  readonly message: string | null;
}

export interface DeliveriesTable {
  id: GeneratedAlways<number>;
  event_id: string;
  destination_id: string;
  account_id: string;
  state: Defaulted<DeliveryState>;
  sequence: number | null;
  /** The batch of its last attempt. */
  batch_id: string | null;
  /** Number of its last attempt within that batch: its attempts are those of the batch up to this one. */
  attempts: Generated<number>;
  created_at: Date;
  finished_at: Date | null;
  error_code: string | null;
  error_message: string | null;
  /** Time of the last redelivery. */
  redelivered_at: Date | null;
  /** The last few runs before that, newest last. */
  earlier_runs: ColumnType<EarlierRun[] | null, string | null, string | null>;
}

export interface DeliveryAttemptsTable {
  id: GeneratedAlways<number>;
  batch_id: string;
  destination_id: string;
  number: number;
  started_at: Date;
  duration_ms: number;
  records: number;
  delivered: number;
  retried: number;
  rejected: number;
  outcome: string;
  code: string | null;
  message: string | null;
  http_status: number | null;
}

export interface MaintenanceTasksTable {
  name: string;
  due_at: Date;
}

export interface AssignedAddrsTable {
  addr: string;
}

/** Every table, for Kysely. `bigint` columns are numbers: none exceeds 2^53. */
export interface Tables {
  accounts: AccountsTable;
  resources: ResourcesTable;
  leases: LeasesTable;
  resource_links: ResourceLinksTable;
  secrets: SecretsTable;
  secret_key_checks: SecretKeyChecksTable;
  api_tokens: ApiTokensTable;
  idempotency_keys: IdempotencyKeysTable;
  events: EventsTable;
  event_routes: EventRoutesTable;
  delivery_lanes: DeliveryLanesTable;
  deliveries: DeliveriesTable;
  delivery_attempts: DeliveryAttemptsTable;
  maintenance_tasks: MaintenanceTasksTable;
  assigned_addrs: AssignedAddrsTable;
}
