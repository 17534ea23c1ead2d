import type { Database } from '../database/database.js';
import { KeyRingError, type KeyRing } from './key-ring.js';
import {
  nextSealedOtherwise,
  removeSealed,
  storeResealed,
  type ResealedRow,
  type SealedRow,
} from './reseal-store.js';
import { encryptedColumns, type EncryptedColumn } from './encrypted-columns.js';

/** Rows of one step: a step is read, sealed anew in memory, and stored in one short statement. */
const STEP = 100;

/** What one walk through everything that is sealed did. */
export interface Walk {
  /** Rows that are sealed with the new key now, or are gone because nobody can ask for them any more. */
  readonly done: number;
  /** Rows that were being changed just then: for another walk. */
  readonly passedBy: number;
  /** Rows that do not open with the key that they name, such as `secrets ed_… target.monitoring.api_key`. They stay as they are. */
  readonly unreadable: readonly string[];
}

/**
 * Walks once through everything that is sealed with another key than `keyId`, and seals it with that one. What is changed
 * meanwhile is never written over. May be ended at any moment and begun again, and may run more than once at a time.
 * @param progress is told after each step how many rows are done.
 * @throws the database's error; KeyRingError when the ring lacks a key.
 */
export async function resealAll(
  db: Database,
  ring: KeyRing,
  keyId: string,
  progress: (done: number) => void,
): Promise<Walk> {
  let [done, passedBy] = [0, 0];
  const unreadable: string[] = [];
  for (const place of encryptedColumns) {
    for (let after: readonly [string, string] = ['', '']; ;) {
      const rows = await nextSealedOtherwise(db, place, keyId, after, STEP);
      const last = rows.at(-1);
      if (last === undefined) break;
      const { resealed, orphans, damaged } = sealAnew(ring, keyId, place, rows);
      const stored = resealed.length > 0 ? await storeResealed(db, place, resealed) : 0;
      const removed = orphans.length > 0 ? await removeSealed(db, place, orphans) : 0;
      done += stored + removed;
      passedBy += resealed.length + orphans.length - stored - removed;
      unreadable.push(...damaged);
      progress(done);
      after = last.key;
    }
  }
  return { done, passedBy, unreadable };
}

function sealAnew(ring: KeyRing, keyId: string, place: EncryptedColumn, rows: readonly SealedRow[]) {
  const [resealed, orphans, damaged]: [ResealedRow[], SealedRow[], string[]] = [[], [], []];
  for (const row of rows) {
    if (row.accountId === null) {
      orphans.push(row);
      continue;
    }
    const at = place.location(row.accountId, row.key);
    const plaintext = opened(() => ring.open(at, row.sealed));
    if (plaintext === null) damaged.push(`${place.name} ${row.key.join(' ')}`);
    else resealed.push({ row, sealed: ring.sealWith(keyId, at, plaintext) });
  }
  return { resealed, orphans, damaged };
}

/** Null for what does not open: one damaged row must not hold up all others. */
function opened(open: () => string): string | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof KeyRingError) return null;
    throw error;
  }
}
