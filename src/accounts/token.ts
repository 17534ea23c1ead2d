import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isId } from '../ids/id.js';
import { DEFAULT_ROLE, type KeyRole } from './key-role.js';

const tokenPattern = /^waybill_([0-9a-z]{26})_[0-9a-f]{64}$/;

/**
 * Returns a new token of an API key: `waybill_`, the 26 characters of the key's id, `_`, and 256 random bits as hex.
 * The row is found by the id, so that the secret can be compared in constant time. The prefix lets scanners detect
 * leaked tokens.
 */
export function mintToken(keyId: string): string {
  return `waybill_${keyId.slice('ak_'.length)}_${randomBytes(32).toString('hex')}`;
}

/** Returns the key id in a token; null for a token of another form (BOOTSTRAP_API_KEY). */
export function keyIdOf(token: string): string | null {
  const suffix = tokenPattern.exec(token)?.[1];
  const keyId = `ak_${suffix ?? ''}`;
  return isId('ak', keyId) ? keyId : null;
}

/**
 * Returns the SHA-256 of a token, which is all that is stored. 256 random bits need no slow password hash.
 */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/**
 * Returns the stored hash of the token of a key with this role. For a role other than `admin`, it is not the hash of
 * the token alone: a release that knows no roles does not find such a key, instead of permitting it everything.
 */
export function hashKeyToken(token: string, role: KeyRole): Buffer {
  return hashToken(role === DEFAULT_ROLE ? token : `${role}:${token}`);
}

/** Returns the bearer token of an Authorization header, or null. */
export function bearerToken(authorization: string | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}

/**
 * Whether an Authorization header has the token with this hash. Hashes are compared in constant time, so that the
 * duration reveals neither the token nor its length.
 */
export function hasToken(authorization: string | undefined, tokenHash: Buffer): boolean {
  return timingSafeEqual(hashToken(bearerToken(authorization) ?? ''), tokenHash);
}
