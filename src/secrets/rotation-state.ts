import { sql } from 'kysely';
import type { Database } from '../database/database.js';
import { countEncrypted } from './encrypted-columns.js';
import type { KeyRing } from './key-ring.js';
import type { OpenKeyRing } from './open-key-ring.js';

/** What one key is used for. */
export interface KeyState {
  readonly keyId: string;
  /** The number of rows that the key encrypts. */
  readonly rows: number;
  /** The same by kind of data, such as `{ secrets: 12 }`. */
  readonly rowsByKind: Readonly<Record<string, number>>;
  /** Names of the running processes that seal with the key. */
  readonly sealing: readonly string[];
}

/** Returns the use of every key of the ring, in the ring's order. */
export async function stateOfKeys(db: Database, { ring, register }: OpenKeyRing): Promise<KeyState[]> {
  const [counts, holders] = [await countEncrypted(db), await register.others()];
  return ring.keyIds.map((keyId) => {
    const own = counts.filter((count) => count.keyId === keyId);
    return {
      keyId,
      rows: own.reduce((sum, { rows }) => sum + rows, 0),
      rowsByKind: Object.fromEntries(own.map(({ name, rows }) => [name, rows])),
      sealing: holders.filter((holder) => holder.seals(keyId)).map(({ name }) => name),
    };
  });
}

/**
 * Describes the keys for the operator, in lines.
 * @param file the key file; null when the keys are in SECRETS_KEYS
 * @param settled no open transaction may have sealed with an older key
 */
export function describeKeys(states: readonly KeyState[], file: string | null, settled: boolean): string[] {
  const [first, ...older] = states;
  const used = states.map(({ keyId, rowsByKind, sealing }) => {
    const counts = Object.entries(rowsByKind).map(([kind, rows]) => `${rows} ${kind}`);
    const by = sealing.length > 0 ? `; used by ${sealing.join(', ')}` : '';
    return `  ${keyId}: encrypts ${counts.length > 0 ? counts.join(', ') : 'nothing'}${by}`;
  });
  const advice = older.map(({ keyId, rows, sealing }) => {
    if (sealing.length > 0)
      return `${keyId} is still used by ${sealing.join(', ')}: put ${first?.keyId} first there, and run this again.`;
    if (rows > 0) return `${keyId} must stay: it encrypts ${rows} rows.`;
    if (!settled) return `${keyId} must stay: an open transaction may have used it. Run this again.`;
    return `${keyId} is not used any more: you can remove it from ${file ?? 'SECRETS_KEYS'}. Older backups need it. Links to logs that were made with it end when you remove it.`;
  });
  return ['Keys, in order:', ...used, ...advice];
}

/** Returns an id that no key of this database has or had: `k` and a number. */
export async function newKeyId(db: Database, ring: KeyRing): Promise<string> {
  const known = await db.selectFrom('secret_key_checks').select('key_id').execute();
  const numbers = [...known.map((row) => row.key_id), ...ring.keyIds].map((id) =>
    Number(/^k(\d{1,9})$/.exec(id)?.[1] ?? 0),
  );
  return `k${Math.max(0, ...numbers) + 1}`;
}

/** Returns the time of the database's clock, to the microsecond. */
export async function timeOfDatabase(db: Database): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db);
  return rows[0]?.now ?? '';
}

/**
 * Returns whether a writing transaction that began by `time` is still open: its data is invisible before it commits. A
 * transaction that only reads, such as a backup, has no `backend_xid`.
 */
export async function hasOpenChangeFrom(db: Database, time: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
      and backend_xid is not null and xact_start <= ${time}::timestamptz
    limit 1
  `.execute(db);
  return rows.length > 0;
}
