import type { Database } from '../database/database.js';
import { encryptedColumns, type EncryptedColumn } from './encrypted-columns.js';
import type { KeyRing } from './key-ring.js';
import { lockNext, removeSealed, storeResealed, type SealedRow } from './reseal-store.js';

/** Rows of one step: locked, encrypted again in memory, and stored, in one short transaction. */
const STEP_ROWS = 100;

/** Result of one pass over all encrypted data. */
export interface Pass {
  /** Rows that the new key encrypts, and rows that were deleted because they can no longer be requested. */
  readonly done: number;
  /** Rows that cannot be decrypted, such as `secrets ed_… target.monitoring.api_key`. They stay as they are. */
  readonly unreadable: readonly string[];
}

/**
 * Encrypts all data of other keys with `keyId`, in one pass, except rows that are being changed: they are left to the
 * next pass. Can be aborted and repeated at any moment, and can run more than once at a time.
 * @param progress is called after each step with the number of rows done
 * @throws the database's error; KeyRingError when the ring lacks a key
 */
export async function resealAll(
  db: Database,
  ring: KeyRing,
  keyId: string,
  progress: (done: number) => void,
): Promise<Pass> {
  let done = 0;
  const unreadable: string[] = [];
  for (const column of encryptedColumns) {
    for (let after: readonly [string, string] | undefined = ['', '']; after !== undefined;) {
      const from = after;
      after = await db.transaction().execute(async (trx) => {
        const rows = await lockNext(trx, column, keyId, from, STEP_ROWS);
        const { resealed, orphans, damaged } = reseal(ring, keyId, column, rows);
        if (resealed.length > 0) await storeResealed(trx, column, keyId, resealed);
        if (orphans.length > 0) await removeSealed(trx, column, orphans);
        done += resealed.length + orphans.length;
        unreadable.push(...damaged);
        return rows.at(-1)?.key;
      });
      progress(done);
    }
  }
  return { done, unreadable };
}

function reseal(ring: KeyRing, keyId: string, column: EncryptedColumn, rows: readonly SealedRow[]) {
  const [resealed, orphans, damaged]: [SealedRow[], SealedRow[], string[]] = [[], [], []];
  for (const row of rows) {
    if (row.accountId === null) {
      orphans.push(row);
      continue;
    }
    const at = column.location(row.accountId, row.key);
    // A damaged row does not stop the others.
    const plaintext = ring.openIfPossible(at, row);
    if (plaintext === null) damaged.push(`${column.name} ${row.key.join(' ')}`);
    else resealed.push({ ...row, ...ring.sealWith(keyId, at, plaintext) });
  }
  return { resealed, orphans, damaged };
}
