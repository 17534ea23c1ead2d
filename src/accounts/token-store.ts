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
  private readonly candidatesStatement;

  constructor(private readonly db: Database) {
    this.candidatesStatement = candidatesStatement(db);
  }

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

  /** Returns the tokens with this key id or this hash, at most two. The caller compares the hash. */
  async candidates(keyId: string | null, tokenHash: Buffer): Promise<readonly TokenRow[]> {
    const rows = await this.candidatesStatement.execute(this.db, [keyId, tokenHash]);
    return rows.map((row) => ({ ...row, role: toKeyRole(row.role) }));
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

/** The tokens with a key id or a hash. */
function candidatesStatement(db: Database) {
  return new PreparedStatement(
    db
      .selectFrom('api_tokens as token')
      // The limit forces a plan by primary key: a statement is planned once, perhaps while the table is almost empty.
      .innerJoinLateral(
        (from) =>
          from
            .selectFrom('resources')
            .whereRef('resources.id', '=', 'token.owner_id')
            .select(['resources.id', 'resources.kind', 'resources.attributes'])
            .limit(1)
            .as('owner'),
        (join) => join.onTrue(),
      )
      .where((where) =>
        where.or([
          where('token.key_id', '=', placeholder<string>(0)),
          where('token.token_hash', '=', placeholder<Buffer>(1)),
        ]),
      )
      .select([
        'token.key_id as keyId',
        'token.account_id as accountId',
        'token.token_hash as tokenHash',
        'token.role as role',
        'owner.id as ownerId',
        'owner.kind as ownerKind',
        sql<string>`coalesce(owner.attributes ->> 'name', '')`.as('ownerName'),
        sql<boolean>`coalesce((owner.attributes ->> 'admin')::boolean, false)`.as('admin'),
        sql<boolean>`coalesce((owner.attributes ->> 'active')::boolean, true)`.as('active'),
      ]),
  );
}
