import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

type Json = ColumnType<Record<string, unknown>, string, string>;
/** Set by the database unless given. */
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
  /** The resource is seen only while this lease lasts. */
  lease_id: string | null;
  attributes: Json;
  version: Generated<number>;
  created_at: Date;
  updated_at: Date;
}

/** How long what the data plane has reported stays true unless it says so again. */
export interface LeasesTable {
  /** The id of the resource that it was given for. */
  id: string;
  account_id: string;
  expires_at: Date;
  /** Of what was reported, so that the same report only renews. */
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
  /** The request that holds the key: only it may write the answer. */
  operation_id: string;
  /** Null until the request has been answered; the body is sealed, as it may hold a token. */
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
  /** The payload as compact JSON without `sequence`, which belongs to each delivery. */
  payload: string;
  created_at: Date;
  /** W3C `traceparent` of the step that recorded it. */
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
  /** Sequence of the first of them that has none of its own yet; the next of them has the next number, and so on. */
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

/** A delivery as it had ended before it was asked for again. */
export interface EarlierRun {
  readonly batch_id: string;
  readonly attempts: number;
  /** How it ended; `pending` where a batch that was refused as a whole was given up, to be tried with what else waits. */
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
  /** The batch it was last tried in. */
  batch_id: string | null;
  /** Number of its last attempt within that batch: its attempts are those of the batch up to this one. */
  attempts: Generated<number>;
  created_at: Date;
  finished_at: Date | null;
  error_code: string | null;
  error_message: string | null;
  /** When it was last asked for again. */
  redelivered_at: Date | null;
  /** The last few of the times before that, newest last. */
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

/** Every table, for Kysely. `bigint` columns come as numbers: none of ours grows past 2^53. */
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
