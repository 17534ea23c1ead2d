import { hash, randomFillSync } from 'node:crypto';
import { canonicalJson } from '@waybill/verify';
import { sql, type RawBuilder } from 'kysely';

/** Bytes of a salt. */
export const SALT_BYTES = 16;

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
  const text = canonicalJson(JSON.parse(payload));
  const data = Buffer.allocUnsafe(SALT_BYTES + Buffer.byteLength(text));
  pool.copy(data, 0, used, used + SALT_BYTES);
  used += SALT_BYTES;
  data.write(text, SALT_BYTES);
  return data.toString('hex', 0, SALT_BYTES) + hash('sha256', data, 'hex');
}

/** Returns the salt in a column with a result of `saltedCommitmentOf`. */
export function saltIn(column: string): RawBuilder<Buffer> {
  return sql`decode(left(${sql.ref(column)}, ${sql.lit(2 * SALT_BYTES)}), 'hex')`;
}

/** Returns the commitment in such a column. */
export function commitmentIn(column: string): RawBuilder<Buffer> {
  return sql`decode(substr(${sql.ref(column)}, ${sql.lit(2 * SALT_BYTES + 1)}), 'hex')`;
}
