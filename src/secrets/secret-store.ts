import { sql } from 'kysely';
import type { Database, Transaction } from '../database/database.js';
import type { KeyRing, SecretLocation } from './key-ring.js';

/** The secrets of one resource. */
export interface ResourceSecrets {
  /** The decrypted secrets by field. */
  readonly opened: ReadonlyMap<string, string>;
  /** The fields whose secrets cannot be decrypted: the key ring lacks the key, or the row is damaged. */
  readonly unreadable: readonly string[];
}

/**
 * The encrypted secrets of resources. The worker reads them, and the data plane with DATA_PLANE_CONFIG_KEY. No response
 * of the API contains one.
 */
export class SecretStore {
  constructor(private readonly ring: KeyRing) {}

  /** Encrypts and stores a secret, in place of an earlier one. */
  async put(db: Database | Transaction, at: SecretLocation, plaintext: string): Promise<void> {
    const { keyId, nonce, ciphertext } = this.ring.seal(at, plaintext);
    const sealed = { key_id: keyId, nonce, ciphertext };
    await db
      .insertInto('secrets')
      .values({ resource_id: at.resourceId, field: at.field, ...sealed })
      .onConflict((conflict) => conflict.columns(['resource_id', 'field']).doUpdateSet(sealed))
      .execute();
  }

  /** Removes a secret, if there is one. Deleting a resource deletes its secrets. */
  async remove(db: Database | Transaction, resourceId: string, field: string): Promise<void> {
    await db.deleteFrom('secrets').where('resource_id', '=', resourceId).where('field', '=', field).execute();
  }

  /** Returns the secrets of resources by the id of the resource, where it has any. */
  async loadAll(
    db: Database | Transaction,
    resources: readonly { readonly id: string; readonly account_id: string }[],
  ): Promise<ReadonlyMap<string, ResourceSecrets>> {
    const accounts = new Map(resources.map(({ id, account_id }) => [id, account_id]));
    const rows = await db
      .selectFrom('secrets')
      .select(['resource_id', 'field', 'key_id', 'nonce', 'ciphertext'])
      .where('resource_id', '=', sql<string>`any(${[...accounts.keys()]})`)
      .orderBy('resource_id')
      .orderBy('field')
      .execute();
    const found = new Map<string, { readonly opened: Map<string, string>; readonly unreadable: string[] }>();
    for (const { resource_id: resourceId, field, key_id: keyId, nonce, ciphertext } of rows) {
      const at = { accountId: accounts.get(resourceId) ?? '', resourceId, field };
      const secrets = found.get(resourceId) ?? { opened: new Map<string, string>(), unreadable: [] };
      found.set(resourceId, secrets);
      const plaintext = this.ring.openIfPossible(at, { keyId, nonce, ciphertext });
      if (plaintext === null) secrets.unreadable.push(field);
      else secrets.opened.set(field, plaintext);
    }
    return found;
  }

  /**
   * Returns the decrypted secrets of a resource by field.
   * @throws KeyRingError when one cannot be decrypted: the ring lacks the key, or the account or resource differs
   */
  async load(db: Database | Transaction, accountId: string, resourceId: string): Promise<Map<string, string>> {
    const rows = await db
      .selectFrom('secrets')
      .select(['field', 'key_id', 'nonce', 'ciphertext'])
      .where('resource_id', '=', resourceId)
      .execute();
    return new Map(
      rows.map(({ field, key_id, nonce, ciphertext }) => [
        field,
        this.ring.open({ accountId, resourceId, field }, { keyId: key_id, nonce, ciphertext }),
      ]),
    );
  }
}
