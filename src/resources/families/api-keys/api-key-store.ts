import { sql } from 'kysely';
import { DEFAULT_ROLE } from '../../../accounts/key-role.js';
import type { Transaction } from '../../../database/database.js';
import type { Attributes } from '../../framework/definition/definition.js';
import { apiKey } from './api-key.js';

/** Queries on API keys beyond those of every family. */
export class ApiKeyStore {
  constructor(private readonly trx: Transaction) {}

  /**
   * Returns the ids of the keys that these keys made, locked until the transaction ends.
   * @param containing only keys whose attributes contain these; null: all
   */
  async lockMadeBy(
    accountId: string,
    makerIds: readonly string[],
    containing: Attributes | null,
  ): Promise<readonly string[]> {
    const query = this.trx
      .selectFrom('resources')
      .select('id')
      .where('account_id', '=', accountId)
      .where('kind', '=', apiKey.name)
      .where(sql<boolean>`attributes ->> 'created_by_key_id' = any(${makerIds})`)
      .where(sql<boolean>`attributes @> ${JSON.stringify(containing ?? {})}::jsonb`)
      .orderBy('id')
      .forUpdate();
    return (await query.execute()).map(({ id }) => id);
  }

  /** Locks the keys of an owner against others that count them, until the transaction ends. */
  async lockOwner(ownerId: string): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended('api_keys ' || ${ownerId}, 0))`.execute(this.trx);
  }

  /** Returns the number of keys of an owner, at most `most`. */
  async countOf(ownerId: string, most: number): Promise<number> {
    const rows = await this.trx
      .selectFrom('resource_links')
      .select('from_id')
      .where('to_id', '=', ownerId)
      .where('role', '=', 'owner_id')
      .limit(most)
      .execute();
    return rows.length;
  }

  /** Whether the owner of a key is an admin. */
  async isAdmin(ownerId: string): Promise<boolean> {
    const row = await this.adminsOf().where('resources.id', '=', ownerId).select('resources.id').executeTakeFirst();
    return row !== undefined;
  }

  /** Whether an admin of the account has a key with the role `admin` other than this one. */
  async hasOtherAdminKey(accountId: string, keyId: string): Promise<boolean> {
    const row = await this.adminsOf()
      .innerJoin('resource_links as owner', 'owner.to_id', 'resources.id')
      .where('resources.account_id', '=', accountId)
      .where('owner.role', '=', 'owner_id')
      .where('owner.from_id', '<>', keyId)
      .innerJoin('api_tokens as token', 'token.key_id', 'owner.from_id')
      .where('token.role', '=', DEFAULT_ROLE)
      .select('owner.from_id')
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  private adminsOf() {
    return this.trx
      .selectFrom('resources')
      .where('resources.kind', '=', 'user')
      .where(sql<boolean>`resources.attributes @> '{"admin": true}'`);
  }
}
