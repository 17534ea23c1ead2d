import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isId } from '../ids/id.js';

const tokenPattern = /^waybill_([0-9a-z]{26})_[0-9a-f]{64}$/;

/**
 * Makes the token of an API key: `waybill_`, the 26 characters of the key's id, `_`, and 256 random bits as hex. The id in it
 * finds the row, so that the secret is compared in constant time; the word in front lets scanners find a leaked one.
 */
export function mintToken(keyId: string): string {
  return `waybill_${keyId.slice('ak_'.length)}_${randomBytes(32).toString('hex')}`;
}

/** The id of the key that a token names, or null when it is not of our making (an operator's own first key). */
export function keyIdOf(token: string): string | null {
  const suffix = tokenPattern.exec(token)?.[1];
  const keyId = `ak_${suffix ?? ''}`;
  return isId('ak', keyId) ? keyId : null;
}

/** SHA-256 of a token: all that is kept of it. Enough for a value with 256 random bits; a slow hash is for passwords. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The token in an Authorization header, or null where there is none in it. */
export function bearerToken(authorization: string | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}

/**
 * Whether an Authorization header shows the token that has this hash. Hashes are compared, so that the time it takes says nothing of
 * the token, nor of its length.
 */
export function showsToken(authorization: string | undefined, tokenHash: Buffer): boolean {
  return timingSafeEqual(hashToken(bearerToken(authorization) ?? ''), tokenHash);
}
