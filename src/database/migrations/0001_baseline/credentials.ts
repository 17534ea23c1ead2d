import { sql } from 'kysely';

/** What authenticates requests, and secrets of resources. */
export const credentials = sql`
-- Without a foreign key to the owner: the link of the API key holds it already, and the check would scan the tokens at
-- the deletion of every resource.
create table api_tokens (
  key_id text collate "C" primary key references resources on delete cascade,
  account_id text collate "C" not null references accounts,
  owner_id text collate "C" not null,
  token_hash bytea not null,
  role text not null default 'admin'
);
comment on table api_tokens is 'The hash of the token of an API key, with the role and the owner of the key.';

create unique index api_tokens_by_hash on api_tokens (token_hash);

-- Without a foreign key to the API key: it would add a check to the deletion of every resource, and each request of a
-- session checks its key. The same holds for the codes.
create table sessions (
  token_hash bytea primary key,
  account_id text collate "C" not null,
  key_id text collate "C" not null,
  expires_at timestamptz not null
);
comment on table sessions is 'A session of the console or the dashboard, by the hash of its token.';

create index sessions_by_key on sessions (key_id, expires_at);

create table session_codes (
  code_hash bytea primary key,
  account_id text collate "C" not null,
  key_id text collate "C" not null,
  -- The session of the code ends then at the latest; null: as usual.
  session_until timestamptz,
  expires_at timestamptz not null,
  -- The session that made the code, which ends with it; null: an API key made it.
  session_hash bytea
);
comment on table session_codes is 'A code that signs in once, by its hash.';

create index session_codes_by_key on session_codes (key_id, expires_at);

create table secrets (
  resource_id text collate "C" not null references resources on delete cascade,
  field text not null,
  key_id text not null,
  nonce bytea not null,
  ciphertext bytea not null,
  primary key (resource_id, field)
);
comment on table secrets is 'An encrypted attribute of a resource. key_id names the key of the ring.';

create index secrets_by_key on secrets (key_id);

create table secret_key_checks (
  key_id text primary key,
  nonce bytea not null,
  ciphertext bytea not null
);
comment on table secret_key_checks is
  'A known text, encrypted with a key that has ever encrypted: decrypting it at start proves that the ring is right.';

-- Every installation has one key at least, which its first start makes.
create table log_keys (
  log_name text not null,
  id text not null,
  public_key bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Signs until then; null: for good.
  signs_until timestamptz,
  -- The private key, encrypted; of one that is outside, with PROOF_SIGNER, the public key.
  key_id text not null,
  nonce bytea not null,
  ciphertext bytea not null,
  primary key (log_name, id)
);
comment on table log_keys is
  'A key that signs checkpoints of logs, under the name of the installation. The private key is encrypted, or elsewhere.';

create table idempotency_keys (
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
);
comment on table idempotency_keys is
  'The response to a request with an Idempotency-Key. Without a status, the request of operation_id is running.';

create index idempotency_keys_by_age on idempotency_keys (created_at);
-- At every start: with which keys responses are encrypted.
create index idempotency_keys_by_key on idempotency_keys (key_id) where key_id is not null;
`;
