import type { Database } from '../database/database.js';
import type { Logger } from '../logging/logger.js';
import { KeyRingError, type KeyRing, type SecretLocation } from './key-ring.js';
import { keysInUse } from './encrypted-columns.js';

/** What every check row says once it is opened. */
const PROOF = 'this key seals the secrets of this database';

function proofLocation(keyId: string): SecretLocation {
  return { accountId: '', resourceId: 'secret_key_checks', field: keyId };
}

/**
 * Proves that `ring` is the one that sealed what the database holds, and writes the proof of each key that is new to it.
 * A wrong key is found here, at start, and not at the first delivery. Safe for any number of processes at once.
 * @throws KeyRingError that names the keys that are missing or that do not open their proof.
 */
export async function proveKeyRing(db: Database, ring: KeyRing, logger: Logger): Promise<void> {
  const inUse = await keysInUse(db);
  const missing = inUse.filter((keyId) => !ring.keyIds.includes(keyId));
  if (missing.length > 0) {
    throw new KeyRingError(
      `The database holds secrets that are sealed with ${list(missing)}, which ${ring.source} lacks (it has ${list(ring.keyIds)}). ` +
        'Add the missing key after the first one. Without it those secrets cannot be read by anyone. To be rid of a key, seal ' +
        'everything anew first: docs/secrets.md.',
    );
  }
  for (const keyId of ring.keyIds) {
    const added = await addProof(db, ring, keyId);
    if (added) logger.info({ keyId }, 'a new key joined the key ring of this database');
    else await checkProof(db, ring, keyId);
  }
}

/** Writes the proof of a key that has none; false when it has one, of whichever process. */
async function addProof(db: Database, ring: KeyRing, keyId: string): Promise<boolean> {
  const { nonce, ciphertext } = ring.sealWith(keyId, proofLocation(keyId), PROOF);
  const result = await db
    .insertInto('secret_key_checks')
    .values({ key_id: keyId, nonce, ciphertext })
    .onConflict((conflict) => conflict.column('key_id').doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

async function checkProof(db: Database, ring: KeyRing, keyId: string): Promise<void> {
  const { nonce, ciphertext } = await db
    .selectFrom('secret_key_checks')
    .select(['nonce', 'ciphertext'])
    .where('key_id', '=', keyId)
    .executeTakeFirstOrThrow();
  try {
    ring.open(proofLocation(keyId), { keyId, nonce, ciphertext });
  } catch (error) {
    throw new KeyRingError(
      `The key ${keyId} in ${ring.source} is not the key ${keyId} that this database knows: the id is the same, the key is another. ` +
        'Put the original key back; to bring in a new key, give it an id of its own and put it first.',
      { cause: error },
    );
  }
}

function list(ids: readonly string[]): string {
  return `${ids.length === 1 ? 'the key' : 'the keys'} ${ids.join(', ')}`;
}
