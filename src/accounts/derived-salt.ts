import { createHmac } from 'node:crypto';

/**
 * Returns the salt of a part of an account, such as a subscription. Hashes with the salts of two parts say nothing
 * about each other.
 * @param salt of the account
 * @param id of the part
 */
export function derivedSalt(salt: Buffer, id: string): Buffer {
  return createHmac('sha256', salt).update(id).digest();
}
