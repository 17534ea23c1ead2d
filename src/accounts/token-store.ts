import { sql } from 'kysely';
import type { Database } from '../database/database.js';
import { placeholder, PreparedStatement } from '../database/prepared.js';
import { toKeyRole, type KeyRole } from './key-role.js';

/** A candidate for a given token, with its owner: a user or a bot. */
export interface TokenRow {
  readonly keyId: string;
  readonly accountId: string;
  readonly tokenHash: Buffer;
  readonly ownerId: string;
  readonly ownerKind: string;
  readonly ownerName: string;
  readonly admin: boolean;
  readonly active: boolean;
  /** The role of the key; null for one that only a later release knows. */
  readonly role: KeyRole | null;
}

/** A token that is looked up: by the id of its key, or by its hash. */
export interface WantedToken {
  readonly keyId: string | null;
  readonly tokenHash: Buffer;
}

interface CandidateRow extends Omit<TokenRow, 'role'> {
  readonly position: number;
  readonly role: string;
}

/** The token of a new API key. */
export interface NewToken {
  readonly keyId: string;
  readonly accountId: string;
  readonly ownerId: string;
  /** As `hashKeyToken` returns it. */
  readonly tokenHash: Buffer;
  readonly role: KeyRole;
}

/** The hashes of tokens. The deletion of an API key deletes its token. */
export class TokenStore {
  private readonly candidatesStatement = new PreparedStatement(candidates);

  constructor(private readonly db: Database) {}

  /** Inserts the token of a new API key, in the transaction that creates the key. */
  async insert(token: NewToken): Promise<void> {
    await this.db
      .insertInto('api_tokens')
      .values({
        key_id: token.keyId,
        account_id: token.accountId,
        owner_id: token.ownerId,
        token_hash: token.tokenHash,
        role: token.role,
      })
      .execute();
  }

  /** Returns, for each of these, the tokens with its key id or its hash: at most two. The caller compares the hash. */
  async candidates(wanted: readonly WantedToken[]): Promise<readonly (readonly TokenRow[])[]> {
    const keyIds = wanted.map(({ keyId }) => keyId);
    const hashes = wanted.map(({ tokenHash }) => tokenHash);
    const rows = await this.candidatesStatement.execute(this.db, [keyIds, hashes]);
    const found: TokenRow[][] = wanted.map(() => []);
    for (const { position, ...row } of rows) found[position - 1]?.push({ ...row, role: toKeyRole(row.role) });
    return found;
  }

  /** Whether any key has this hash. */
  async has(tokenHash: Buffer): Promise<boolean> {
    const row = await this.db
      .selectFrom('api_tokens')
      .where('token_hash', '=', tokenHash)
      .select('key_id')
      .executeTakeFirst();
    return row !== undefined;
  }
}

/**
 * The tokens with these key ids or hashes. Each limit forces a plan by an index: a statement is planned once, perhaps
 * while the tables are almost empty. The subqueries hide the arrays from the planner, which would plan each execution.
 */
const candidates = sql<CandidateRow>`
  select wanted.position::int as "position", token.key_id as "keyId", token.account_id as "accountId",
    token.token_hash as "tokenHash", token.role, owner.id as "ownerId", owner.kind as "ownerKind",
    coalesce(owner.attributes ->> 'name', '') as "ownerName",
    coalesce((owner.attributes ->> 'admin')::boolean, false) as "admin",
    coalesce((owner.attributes ->> 'active')::boolean, true) as "active"
  from unnest((select ${placeholder(0)}::text[]), (select ${placeholder(1)}::bytea[])) with ordinality
    as wanted (key_id, token_hash, position)
  cross join lateral (
    (select key_id, account_id, token_hash, role, owner_id from api_tokens
     where api_tokens.key_id = wanted.key_id limit 1)
    union all
    (select key_id, account_id, token_hash, role, owner_id from api_tokens
     where api_tokens.token_hash = wanted.token_hash and api_tokens.key_id is distinct from wanted.key_id limit 1)
  ) as token
  cross join lateral (
    select id, kind, attributes from resources where resources.id = token.owner_id limit 1
  ) as owner`;
