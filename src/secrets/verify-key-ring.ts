import type { Database } from '../database/database.js';
import type { Logger } from '../logging/logger.js';
import { keysInUse } from './encrypted-columns.js';
import { KeyRingError, type KeyRing, type SecretLocation } from './key-ring.js';

/** The plaintext of every check value. The text is stored encrypted and never changes. */
const CHECK_TEXT = 'this key seals the secrets of this database';

function checkLocation(keyId: string): SecretLocation {
  return { accountId: '', resourceId: 'secret_key_checks', field: keyId };
}

/**
 * Verifies that `ring` has the keys that encrypt the data of this database, and stores a check value for each new key.
 * So a wrong key fails the start and not the first delivery. Safe for any number of processes at once.
 * @throws KeyRingError that names the keys that are missing or differ
 */
export async function verifyKeyRing(db: Database, ring: KeyRing, logger: Logger): Promise<void> {
  const inUse = await keysInUse(db);
  const missing = inUse.filter((keyId) => !ring.keyIds.includes(keyId));
  if (missing.length > 0) {
    throw new KeyRingError(
      `The database holds secrets that are encrypted with ${list(missing)}, which ${ring.source} lacks (it has ` +
        `${list(ring.keyIds)}). Add the missing key after the first one: without it those secrets are lost. To retire a key, run ` +
        'waybill rotate-secrets first: docs/secrets.md.',
    );
  }
  for (const keyId of ring.keyIds) {
    const added = await addCheck(db, ring, keyId);
    if (added) logger.info({ keyId }, 'a new key was added to the key ring of this database');
    else await verifyCheck(db, ring, keyId);
  }
}

/** Stores the check value of a key. Returns false when there is one. */
async function addCheck(db: Database, ring: KeyRing, keyId: string): Promise<boolean> {
  const { nonce, ciphertext } = ring.sealWith(keyId, checkLocation(keyId), CHECK_TEXT);
  const result = await db
    .insertInto('secret_key_checks')
    .values({ key_id: keyId, nonce, ciphertext })
    .onConflict((conflict) => conflict.column('key_id').doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

async function verifyCheck(db: Database, ring: KeyRing, keyId: string): Promise<void> {
  const { nonce, ciphertext } = await db
    .selectFrom('secret_key_checks')
    .select(['nonce', 'ciphertext'])
    .where('key_id', '=', keyId)
    .executeTakeFirstOrThrow();
  try {
    ring.open(checkLocation(keyId), { keyId, nonce, ciphertext });
  } catch (error) {
    throw new KeyRingError(
      `The key ${keyId} in ${ring.source} differs from the key ${keyId} that this database knows. Put the original key back. To ` +
        'add a new key, give it an id of its own and put it first.',
      { cause: error },
    );
  }
}

function list(ids: readonly string[]): string {
  return `${ids.length === 1 ? 'the key' : 'the keys'} ${ids.join(', ')}`;
}
