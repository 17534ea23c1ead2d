import { erasureLocation } from '../secrets/encrypted-columns.js';
import { KeyRingError, type KeyRing, type SealedSecret } from '../secrets/key-ring.js';
import type { Erasure } from './erasure-store.js';

/** Encrypts what is asked for, so that no other row of the database is carried out. */
export function sealErasure(ring: Pick<KeyRing, 'seal'>, erasure: Erasure): SealedSecret {
  return ring.seal(erasureLocation(erasure.account_id, erasure.id), requestOf(erasure));
}

/** Returns whether a row is as it was asked for. @throws KeyRingError when the ring lacks the key of the row */
export function isAskedFor(ring: Pick<KeyRing, 'keyIds' | 'open'>, erasure: Erasure): boolean {
  const { account_id: accountId, id, key_id: keyId, nonce, ciphertext } = erasure;
  if (keyId === null || nonce === null || ciphertext === null) return false;
  try {
    return ring.open(erasureLocation(accountId, id), { keyId, nonce, ciphertext }) === requestOf(erasure);
  } catch (error) {
    if (error instanceof KeyRingError && ring.keyIds.includes(keyId)) return false;
    throw error;
  }
}

function requestOf(erasure: Erasure): string {
  const { kind, subject_id, types, to_time, reason, principal_id, principal_subject, created_at } = erasure;
  return JSON.stringify([kind, subject_id, types, to_time, reason, principal_id, principal_subject, created_at]);
}
