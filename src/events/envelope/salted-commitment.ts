import { randomFillSync } from 'node:crypto';
import { commitmentOf, SALT_BYTES } from '@waybill/verify';
import { sql, type RawBuilder } from 'kysely';

/** Random bytes for many salts: a call for each salt would cost as much as the hash. */
const pool = Buffer.allocUnsafeSlow(256 * SALT_BYTES);
let used = pool.length;

/**
 * Makes a salt, and the commitment to a payload with that salt: `SHA-256(salt || canonical JSON)`. Without the salt,
 * the commitment says nothing about the payload.
 * @param payload JSON
 * @returns the hexadecimal digits of the salt and of the commitment, without a separator
 */
export function saltedCommitmentOf(payload: string): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const salt = pool.subarray(used, (used += SALT_BYTES));
  return salt.toString('hex') + Buffer.from(commitmentOf(salt, JSON.parse(payload))).toString('hex');
}

/** Returns the salt in a column with a result of `saltedCommitmentOf`. */
export function saltIn(column: string): RawBuilder<Buffer> {
  return sql`decode(left(${sql.ref(column)}, ${sql.lit(2 * SALT_BYTES)}), 'hex')`;
}

/** Returns the commitment in such a column. */
export function commitmentIn(column: string): RawBuilder<Buffer> {
  return sql`decode(substr(${sql.ref(column)}, ${sql.lit(2 * SALT_BYTES + 1)}), 'hex')`;
}
