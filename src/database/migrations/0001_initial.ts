import { sql, type Kysely } from 'kysely';

/** The releases before it refuse to start on this schema. */
export const additive = false;

/**
 * The whole first schema. Ids are TypeIDs and sort by time only byte by byte, hence `collate "C"`. Why deliveries have
 * no foreign key to their destination: a destination can be deleted while its history is kept.
 */
const statements = [
  sql`create table accounts (
    id text collate "C" primary key,
    name text not null,
    created_at timestamptz not null default now()
  )`,

  sql`create table resources (
    id text collate "C" primary key,
    account_id text collate "C" not null references accounts,
    kind text not null,
    parent_id text collate "C" references resources on delete cascade,
    attributes jsonb not null,
    version integer not null default 1,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  sql`create index resources_by_kind on resources (account_id, kind, id)`,
  sql`create index resources_by_parent on resources (parent_id, id) where parent_id is not null`,

  // A plain reference (no cascade) is what makes the database itself refuse to delete a resource that is referred to.
  sql`create table resource_links (
    from_id text collate "C" not null references resources on delete cascade,
    role text not null,
    position integer not null,
    to_id text collate "C" not null references resources,
    primary key (from_id, role, position)
  )`,
  sql`create index resource_links_by_target on resource_links (to_id)`,

  sql`create table secrets (
    resource_id text collate "C" not null references resources on delete cascade,
    field text not null,
    key_id text not null,
    nonce bytea not null,
    ciphertext bytea not null,
    primary key (resource_id, field)
  )`,
  sql`create index secrets_by_key on secrets (key_id)`,

  // One row for each key of the ring that has ever sealed: opening it at start proves that the ring is the right one.
  sql`create table secret_key_checks (
    key_id text primary key,
    nonce bytea not null,
    ciphertext bytea not null
  )`,

  sql`create table api_tokens (
    key_id text collate "C" primary key references resources on delete cascade,
    account_id text collate "C" not null references accounts,
    owner_id text collate "C" not null references resources,
    token_hash bytea not null
  )`,
  sql`create unique index api_tokens_by_hash on api_tokens (token_hash)`,

  // status null: the request of operation_id is still running. The answer's body is sealed (key_id, nonce, ciphertext).
  sql`create table idempotency_keys (
    api_key_id text collate "C" not null,
    idempotency_key text not null,
    request_hash bytea not null,
    operation_id text not null,
    status integer,
    headers jsonb,
    key_id text,
    nonce bytea,
    ciphertext bytea,
    created_at timestamptz not null default now(),
    primary key (api_key_id, idempotency_key)
  )`,
  sql`create index idempotency_keys_by_age on idempotency_keys (created_at)`,

  sql`create table events (
    id text collate "C" primary key,
    account_id text collate "C" not null references accounts,
    type text not null,
    resource_id text collate "C" not null,
    payload text not null,
    created_at timestamptz not null
  )`,
  sql`create index events_by_account on events (account_id, id)`,
  sql`create index events_by_type on events (account_id, type, id)`,

  sql`create table event_routes (
    account_id text collate "C" not null references accounts,
    event_type text not null,
    destination_id text collate "C" not null references resources,
    subscription_id text collate "C" not null references resources on delete cascade,
    primary key (account_id, event_type, destination_id, subscription_id)
  )`,
  sql`create index event_routes_by_subscription on event_routes (subscription_id)`,

  // One row for each destination, and the batch in flight is in it (batch_id null: idle): a claim writes this row and
  // no other. revision counts claims and releases; a claim whose snapshot shows another revision than the row it locked
  // is void. attempt_token, attempt_until: the lease of the attempt that is being made. `main` keeps the ids of a batch
  // in the row.
  sql`create table delivery_lanes (
    destination_id text collate "C" primary key references resources on delete cascade,
    account_id text collate "C" not null references accounts,
    target_kind text not null,
    revision bigint not null default 0,
    next_sequence bigint not null default 1,
    batch_id text collate "C",
    batch_delivery_ids bigint[],
    batch_first_sequence bigint,
    batch_attempts integer not null default 0,
    claimed_at timestamptz,
    attempt_token text,
    attempt_until timestamptz,
    status text not null default 'healthy' check (status in ('healthy', 'retrying', 'misconfigured')),
    status_since timestamptz not null default now(),
    failures integer not null default 0,
    resume_at timestamptz,
    last_error_code text,
    last_error_message text,
    last_error_at timestamptz
  ) with (fillfactor = 50)`,
  sql`alter table delivery_lanes alter column batch_delivery_ids set storage main`,

  // The order of a destination is the order of id. A delivery in flight is 'pending' and in its lane's
  // batch_delivery_ids; its sequence follows from the claim, is written when its first attempt is settled, and never
  // changes. The key begins with the destination although id alone is unique: with an index on id alone, a planner with
  // old statistics may look for the next pending deliveries of a destination by walking through every delivery there
  // ever was. Vacuumed early, because each delivered row leaves a dead entry at the very place where the next claim
  // begins to read.
  sql`create table deliveries (
    id bigint generated always as identity,
    event_id text collate "C" not null references events on delete cascade,
    destination_id text collate "C" not null,
    account_id text collate "C" not null,
    state text not null default 'pending' check (state in ('pending', 'delivered', 'rejected', 'expired')),
    sequence bigint,
    batch_id text collate "C",
    attempts integer not null default 0,
    created_at timestamptz not null,
    finished_at timestamptz,
    error_code text,
    error_message text,
    primary key (destination_id, id)
  ) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000)`,
  sql`create index deliveries_pending on deliveries (destination_id, id) where state = 'pending'`,
  sql`create index deliveries_by_event on deliveries (event_id)`,
  sql`create unique index deliveries_by_sequence on deliveries (destination_id, sequence) where sequence is not null`,

  // One row for each attempt at a batch; a delivery's attempts are those of its batch.
  sql`create table delivery_attempts (
    id bigint generated always as identity primary key,
    batch_id text collate "C" not null,
    destination_id text collate "C" not null,
    number integer not null,
    started_at timestamptz not null,
    duration_ms integer not null,
    records integer not null,
    delivered integer not null,
    retried integer not null,
    rejected integer not null,
    outcome text not null,
    code text,
    message text,
    http_status integer
  )`,
  sql`create index delivery_attempts_by_batch on delivery_attempts (batch_id)`,
  sql`create index delivery_attempts_by_destination on delivery_attempts (destination_id, id)`,

  // Work that one process of all does at a time: the one that moves due_at forward does it.
  sql`create table maintenance_tasks (
    name text primary key,
    due_at timestamptz not null
  )`,
];

/** Creates every table of the first release. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
