import { randomBytes } from 'node:crypto';
import { KeyRing } from '../../src/secrets/key-ring.js';

/** Returns a key ring with a random key for each id, or with one key. The first key encrypts. */
export function testKeyRing(...ids: readonly string[]): KeyRing {
  const keys = (ids.length > 0 ? ids : ['test']).map((id) => `${id}:${randomBytes(32).toString('base64')}`);
  return KeyRing.parse(keys.join(','));
}

/** SECRETS_KEYS of a test's service. */
export const testSecretsKeys = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
