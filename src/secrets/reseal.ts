import type { Database } from '../database/database.js';
import { encryptedColumns, type EncryptedColumn } from './encrypted-columns.js';
import type { KeyRing } from './key-ring.js';
import { nextWithOtherKey, removeSealed, storeResealed, type ResealedRow, type SealedRow } from './reseal-store.js';

/** Rows of one step: read, encrypted again in memory, and stored in one short statement. */
const STEP_ROWS = 100;

/** Result of one pass over all encrypted data. */
export interface Pass {
  /** Rows that the new key encrypts, and rows that were deleted because they can no longer be requested. */
  readonly done: number;
  /** Rows that were being changed, left to the next pass. */
  readonly skipped: number;
  /** Rows that cannot be decrypted, such as `secrets ed_… target.monitoring.api_key`. They stay as they are. */
  readonly unreadable: readonly string[];
}

/**
 * Encrypts all data of other keys with `keyId`, in one pass. Never overwrites a change that is made during the pass.
 * Can be aborted and repeated at any moment, and can run more than once at a time.
 * @param progress is called after each step with the number of rows done
 * @throws the database's error; KeyRingError when the ring lacks a key
 */
export async function resealAll(
  db: Database,
  ring: KeyRing,
  keyId: string,
  progress: (done: number) => void,
): Promise<Pass> {
  let [done, skipped] = [0, 0];
  const unreadable: string[] = [];
  for (const column of encryptedColumns) {
    for (let after: readonly [string, string] = ['', '']; ;) {
      const rows = await nextWithOtherKey(db, column, keyId, after, STEP_ROWS);
      const last = rows.at(-1);
      if (last === undefined) break;
      const { resealed, orphans, damaged } = reseal(ring, keyId, column, rows);
      const stored = resealed.length > 0 ? await storeResealed(db, column, resealed) : 0;
      const removed = orphans.length > 0 ? await removeSealed(db, column, orphans) : 0;
      done += stored + removed;
      skipped += resealed.length + orphans.length - stored - removed;
      unreadable.push(...damaged);
      progress(done);
      after = last.key;
    }
  }
  return { done, skipped, unreadable };
}

function reseal(ring: KeyRing, keyId: string, column: EncryptedColumn, rows: readonly SealedRow[]) {
  const [resealed, orphans, damaged]: [ResealedRow[], SealedRow[], string[]] = [[], [], []];
  for (const row of rows) {
    if (row.accountId === null) {
      orphans.push(row);
      continue;
    }
    const at = column.location(row.accountId, row.key);
    // A damaged row does not stop the others.
    const plaintext = ring.openIfPossible(at, row.sealed);
    if (plaintext === null) damaged.push(`${column.name} ${row.key.join(' ')}`);
    else resealed.push({ row, sealed: ring.sealWith(keyId, at, plaintext) });
  }
  return { resealed, orphans, damaged };
}
