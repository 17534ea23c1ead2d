import { randomBytes } from 'node:crypto';
import { KeyRing } from '../../src/secrets/key-ring.js';

/** A key ring of one random key, or of one for each id given, the first of which seals. */
export function testKeyRing(...ids: readonly string[]): KeyRing {
  const keys = (ids.length > 0 ? ids : ['test']).map((id) => `${id}:${randomBytes(32).toString('base64')}`);
  return KeyRing.parse(keys.join(','));
}

/** SECRETS_KEYS of a service whose secrets are nobody's. */
export const testSecretsKeys = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
