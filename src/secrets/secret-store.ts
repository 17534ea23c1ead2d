import type { Database, Transaction } from '../database/database.js';
import type { KeyRing, SecretLocation } from './key-ring.js';

/** The sealed secrets of resources. They are written once and read by the worker only; no answer of the API holds one. */
export class SecretStore {
  /** @param ring seals what is put and opens what is loaded. */
  constructor(private readonly ring: KeyRing) {}

  /** Seals `plaintext` and stores it at its place, instead of what was there. */
  async put(db: Database | Transaction, at: SecretLocation, plaintext: string): Promise<void> {
    const { keyId, nonce, ciphertext } = this.ring.seal(at, plaintext);
    const sealed = { key_id: keyId, nonce, ciphertext };
    await db
      .insertInto('secrets')
      .values({ resource_id: at.resourceId, field: at.field, ...sealed })
      .onConflict((conflict) => conflict.columns(['resource_id', 'field']).doUpdateSet(sealed))
      .execute();
  }

  /** Removes one secret; no error when there is none. Those of a deleted resource go with it. */
  async remove(db: Database | Transaction, resourceId: string, field: string): Promise<void> {
    await db.deleteFrom('secrets').where('resource_id', '=', resourceId).where('field', '=', field).execute();
  }

  /**
   * Every secret of one resource, opened, by field; empty when it has none.
   * @throws KeyRingError when one does not open: sealed by a key that the ring lacks, or for another account or resource.
   */
  async load(
    db: Database | Transaction,
    accountId: string,
    resourceId: string,
  ): Promise<Map<string, string>> {
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
