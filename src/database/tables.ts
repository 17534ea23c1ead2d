import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

type Json = ColumnType<Record<string, unknown>, string, string>;
/** Has a default in the database. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;

export interface AccountsTable {
  id: string;
  name: string;
  created_at: Generated<Date>;
}

/** Since when the rows of a kind (`RetainedKind`) are complete; no row while none was removed. */
export interface RetentionMarksTable {
  kind: string;
  complete_since: Date;
}

export interface ResourcesTable {
  id: string;
  account_id: string;
  kind: string;
  parent_id: string | null;
  /** The resource is visible only until this lease expires. Null: until it is deleted. */
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

export interface LogKeysTable {
  log_name: string;
  /** First 4 bytes of a hash of name and public key, in hexadecimal digits. */
  id: string;
  /** Ed25519. */
  public_key: Buffer;
  created_at: Generated<Date>;
  signs_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
  key_id: string;
  nonce: Buffer;
  ciphertext: Buffer;
}

export interface ApiTokensTable {
  key_id: string;
  account_id: string;
  owner_id: string;
  token_hash: Buffer;
  /** The role of the key. */
  role: Generated<string>;
}

export interface IdempotencyKeysTable {
  api_key_id: string;
  idempotency_key: string;
  request_hash: Buffer;
  /** The request that holds the key: only that request writes the response. */
  operation_id: string;
  /** Null until the response. The body is encrypted. */
  status: number | null;
  headers: ColumnType<Record<string, string> | null, string | null, string | null>;
  key_id: string | null;
  nonce: Buffer | null;
  ciphertext: Buffer | null;
  created_at: Generated<Date>;
}

export interface SessionsTable {
  token_hash: Buffer;
  account_id: string;
  key_id: string;
  expires_at: Date;
}

export interface SessionCodesTable {
  code_hash: Buffer;
  account_id: string;
  key_id: string;
  session_until: Date | null;
  session_hash: Buffer | null;
  expires_at: Date;
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
  /** What the payload says of the change. */
  principal_id: ColumnType<string | null, string | null | undefined, string | null>;
  credential_id: ColumnType<string | null, string | null | undefined, string | null>;
  operation_id: ColumnType<string | null, string | null | undefined, string | null>;
  /** Null for an event without `changes`. */
  changed_fields: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  /** Of the payload (`saltedCommitmentOf`). An erasure removes the salt. */
  salt: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  commitment: Buffer;
  /** The erasure that has removed the payload; null for all other events. */
  erasure_id: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface EventRoutesTable {
  account_id: string;
  event_type: string;
  destination_id: string;
  subscription_id: string;
}

/** What the source of a subscription says beside its type. */
export interface EventRulesTable {
  account_id: string;
  event_type: string;
  subscription_id: string;
  /** An expression in CEL; null: every event. */
  filter: string | null;
  /** Null: the whole payload. */
  fields: ColumnType<EventFields | null, string | null, string | null>;
}

/** The members of a payload that a source sends, as JSON pointers into the payload. */
export interface EventFields {
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly hash?: readonly string[] | undefined;
}

/** The salt of the hashes in the projections of an account. */
export interface AccountSaltsTable {
  account_id: string;
  salt: Buffer;
}

/** The present state of the resources of one kind, written to new destinations of a subscription. */
export interface EventSnapshotsTable {
  id: string;
  account_id: string;
  subscription_id: string;
  /** The family of the resources. */
  kind: string;
  destination_ids: string[];
  /** The request that asked for the snapshot, and the base of every `uri` in its events. */
  operation_id: string;
  base_url: string;
  /** Resources up to this id are written; empty at the beginning. */
  after_id: Generated<string>;
  /** Number of resources when the walk began; null before. */
  total: number | null;
  /** Number of resources that the walk has passed. */
  passed: Generated<number>;
  created_at: Generated<Date>;
  /** Null while the snapshot is running. */
  finished_at: Date | null;
}

/** A resource that a running snapshot skips. */
export interface EventSnapshotMarksTable {
  snapshot_id: string;
  resource_id: string;
}

/** A request to redeliver what several destinations did not receive. */
export interface RecoveriesTable {
  id: string;
  account_id: string;
  state: Generated<'running' | 'finished' | 'cancelled'>;
  states: ('rejected' | 'expired')[];
  /** Inclusive. */
  from_time: Date;
  /** Exclusive. */
  to_time: Date;
  /** Null: every destination. */
  destination_ids: string[] | null;
  /** Number of events at the request; null where there were too many to count. */
  total: number | null;
  redelivered: Generated<number>;
  destinations_done: Generated<number>;
  /** Where the next step begins; null before the first one. */
  at_destination_id: string | null;
  /** Null: the destination is done. */
  at_state: 'rejected' | 'expired' | null;
  at_time: Date | null;
  /** When another process may take the step that is under way. */
  claimed_until: Generated<Date>;
  principal_id: string;
  principal_subject: string;
  created_at: Generated<Date>;
  finished_at: Date | null;
}

/** A request for the earlier events of a destination. */
export interface BackfillsTable {
  id: string;
  account_id: string;
  destination_id: string;
  state: Generated<'counting' | 'running' | 'finished' | 'cancelled'>;
  /** Inclusive. */
  from_time: Date;
  /** Exclusive. */
  to_time: Date;
  types: readonly string[];
  /** An expression in CEL; null: every event. */
  filter: string | null;
  events_per_second: number;
  /** Whether it ends when the events are counted. */
  dry_run: boolean;
  /** Since when it misses no event; null when it misses none. */
  complete_since: Date | null;
  /**
   * It may send again what the destination has of the events before this time: the records of their deliveries were
   * removed. Null: it repeats none.
   */
  repeats_before: Date | null;
  /** Events up to this id are counted, while it counts, or passed; empty at the beginning of both. */
  after_id: Generated<string>;
  /** Number of matching events: those counted so far, until `counted_at` is set. */
  total: Generated<number>;
  /** Events with a new delivery. */
  queued: Generated<number>;
  /** Events without one. */
  skipped: Generated<number>;
  /** When the next step is due. */
  next_at: Generated<Date>;
  created_at: Generated<Date>;
  counted_at: Date | null;
  /** Null while it is counting or running. */
  finished_at: Date | null;
}

/** A part of a fan-out that is finished in the background. */
export interface FanOutPartsTable {
  id: GeneratedAlways<number>;
  event_id: string;
  account_id: string;
  resource_id: string;
  destination_ids: string[];
  /** When the event was recorded. */
  created_at: Date;
}

/** An epoch before the current one of a lane, with the number that it began with. */
export interface EarlierEpoch {
  readonly epoch: number;
  readonly first_sequence: number;
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
  epoch: Generated<number>;
  /** The first number of the epoch. */
  epoch_first_sequence: Generated<number>;
  /** The epochs before, oldest first. */
  earlier_epochs: ColumnType<EarlierEpoch[] | null, string | null, string | null>;
  /** No delivery with an id up to it is pending. */
  floor_id: Generated<number>;
  /** The next floor, once every transaction up to `next_floor_xid` has ended. */
  next_floor_id: number | null;
  /** `xid8` in Postgres's notation. */
  next_floor_xid: string | null;
  /** Timestamp of the last delivered record, where the target needs ascending ones. */
  latest_timestamp_ms: number | null;
  /** Whether its deliveries may have projections. */
  projected: Generated<boolean>;
  /** Since when the lane is paused; null while it is not. */
  paused_at: Date | null;
  /** The pauses that have ended, as far as a delivery waited in them: a `tstzmultirange` in Postgres's notation. */
  pauses: string | null;
  /** Until when its failures need nobody; null: it is not muted. */
  muted_until: Date | null;
}

export type DeliveryState = 'pending' | 'delivered' | 'rejected' | 'expired' | 'cancelled';

/** How a delivery ended before a redelivery. */
export interface EarlierRun {
  readonly batch_id: string;
  readonly attempts: number;
  /** The state at its end; `pending` where the batch was dissolved after a refusal as a whole. */
  readonly state: DeliveryState;
  readonly code: string | null;
  readonly message: string | null;
}

/** Deliveries that wait or are tried. */
export interface DeliveriesTable {
  id: GeneratedAlways<number>;
  event_id: string;
  destination_id: string;
  account_id: string;
  state: Defaulted<'pending'>;
  sequence: number | null;
  /** The batch of its last attempt. */
  batch_id: string | null;
  /** Number of its last attempt within that batch: its attempts are those of the batch up to this one. */
  attempts: Generated<number>;
  created_at: Date;
  error_code: string | null;
  error_message: string | null;
  /** Time of the last redelivery. */
  redelivered_at: Date | null;
  /** The last few runs before that, newest last. */
  earlier_runs: ColumnType<EarlierRun[] | null, string | null, string | null>;
  /** The backfill that created it; null for every other delivery. */
  backfill_id: ColumnType<string | null, string | null | undefined, string | null>;
}

/** Finished deliveries. One partition for each day of their events' ids. */
export interface FinishedDeliveriesTable extends Omit<DeliveriesTable, 'id' | 'state' | 'attempts'> {
  id: number;
  state: Exclude<DeliveryState, 'pending'>;
  attempts: number;
  finished_at: Date;
}

/** A view: `deliveries` and `finished_deliveries`. */
export interface AllDeliveriesView extends Omit<DeliveriesTable, 'state'> {
  state: DeliveryState;
  finished_at: Date | null;
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
  /** The HTTP status of the vendor's response; null without a response. */
  http_status: number | null;
  recorded_at: Generated<Date>;
  /** Pairs of a bucket and its count (`LatencyCounts`) of what was delivered; null where none was recorded. */
  latencies: ColumnType<number[][] | null, string | null | undefined, string | null>;
  /** See `Rejections`. */
  rejections: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
}

export type ExportState = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled' | 'expired';

/** Exports of events. The file of each attempt has a name of its own. */
export interface ExportsTable {
  id: string;
  account_id: string;
  format: string;
  filter: Json;
  destination_id: string | null;
  /** Who requested it, by which key and request. */
  principal_id: string;
  credential_id: string | null;
  operation_id: string;
  /** Events from this id on were recorded later. */
  before_id: string;
  /** `xid8` in Postgres's notation: the transaction that created it. */
  horizon: string;
  /** Earlier events may be missing; null where none is. */
  complete_since: Date | null;
  state: Defaulted<ExportState>;
  /** Number of the attempt at writing the file, from 1; 0 before the first. */
  attempt: Generated<number>;
  /** Whether an attempt has taken longer than one at a small export may. */
  is_large: Generated<boolean>;
  /** Names of the storages of its attempts, that of the latest one last. Empty: the present storage. */
  storages: Generated<string[]>;
  /** Until then, the process of the attempt has the export to itself, or the removal of its files waits. */
  leased_until: Date | null;
  events: Generated<number>;
  bytes: Generated<number>;
  /** When the last event was recorded that the attempt has read; null before the first. */
  reached_at: Date | null;
  manifest: ColumnType<Record<string, unknown> | null, string | null, string | null>;
  error_code: string | null;
  error_message: string | null;
  created_at: Generated<Date>;
  started_at: Date | null;
  finished_at: Date | null;
  /** When the file is removed; null before it is complete. */
  expires_at: Date | null;
  /** The API does not show it any more. */
  deleted_at: Date | null;
  files_removed_at: Date | null;
}

export interface MaintenanceTasksTable {
  name: string;
  due_at: Date;
}

/** The last change of each resource that configures the data plane. Triggers of `resources` write it. */
export interface ConfigurationChangesTable {
  resource_id: string;
  account_id: string;
  kind: string;
  /** Id of the transaction, as text. */
  tx: string;
  /** Null while the resource exists. */
  deleted_at: Date | null;
}

export interface AssignedAddrsTable {
  addr: string;
}

export interface WorkerPresencesTable {
  id: number;
  instance: string;
  started_at: Generated<Date>;
  /** When the worker last showed that it lives, about; null before it first did. */
  seen_at: Generated<Date | null>;
}

/** The tables that statements name through Kysely's types. `bigint` columns are numbers: none exceeds 2^53. */
export interface Tables {
  accounts: AccountsTable;
  retention_marks: RetentionMarksTable;
  resources: ResourcesTable;
  leases: LeasesTable;
  resource_links: ResourceLinksTable;
  secrets: SecretsTable;
  secret_key_checks: SecretKeyChecksTable;
  api_tokens: ApiTokensTable;
  idempotency_keys: IdempotencyKeysTable;
  sessions: SessionsTable;
  session_codes: SessionCodesTable;
  events: EventsTable;
  event_routes: EventRoutesTable;
  event_rules: EventRulesTable;
  account_salts: AccountSaltsTable;
  fan_out_parts: FanOutPartsTable;
  event_snapshots: EventSnapshotsTable;
  event_snapshot_marks: EventSnapshotMarksTable;
  backfills: BackfillsTable;
  recoveries: RecoveriesTable;
  delivery_lanes: DeliveryLanesTable;
  deliveries: DeliveriesTable;
  finished_deliveries: FinishedDeliveriesTable;
  all_deliveries: AllDeliveriesView;
  delivery_attempts: DeliveryAttemptsTable;
  exports: ExportsTable;
  log_keys: LogKeysTable;
  maintenance_tasks: MaintenanceTasksTable;
  worker_presences: WorkerPresencesTable;
  assigned_addrs: AssignedAddrsTable;
  configuration_changes: ConfigurationChangesTable;
}
