import { sql } from 'kysely';
import type { Database } from '../database/database.js';
import type { KeyRing } from './key-ring.js';
import type { OpenKeyRing } from './open-key-ring.js';
import { countSealed } from './encrypted-columns.js';

/** What one key is used for. */
export interface KeyState {
  readonly keyId: string;
  /** What is sealed with it, in all. */
  readonly rows: number;
  /** The same, by place, such as `{ secrets: 12 }`. */
  readonly places: Readonly<Record<string, number>>;
  /** Names of the running processes that seal with it. */
  readonly sealing: readonly string[];
}

/** What every key of the ring is used for, in the ring's order. */
export async function stateOfKeys(db: Database, { ring, register }: OpenKeyRing): Promise<KeyState[]> {
  const [counts, holders] = [await countSealed(db), await register.others()];
  return ring.keyIds.map((keyId) => {
    const own = counts.filter((count) => count.keyId === keyId);
    return {
      keyId,
      rows: own.reduce((sum, { rows }) => sum + rows, 0),
      places: Object.fromEntries(own.map(({ place, rows }) => [place, rows])),
      sealing: holders.filter((holder) => holder.seals(keyId)).map(({ name }) => name),
    };
  });
}

/**
 * What a person should know of the keys, a line each.
 * @param file where they are kept, if not in SECRETS_KEYS
 * @param settled no change is under way that may have sealed with an older one
 */
export function describeKeys(states: readonly KeyState[], file: string | null, settled: boolean): string[] {
  const [first, ...older] = states;
  const used = states.map(({ keyId, places, sealing }) => {
    const sealed = Object.entries(places).map(([place, rows]) => `${rows} ${place}`);
    const by = sealing.length > 0 ? `; sealing now: ${sealing.join(', ')}` : '';
    return `  ${keyId}: ${sealed.length > 0 ? sealed.join(', ') : 'nothing is sealed with it'}${by}`;
  });
  const advice = older.map(({ keyId, rows, sealing }) => {
    if (sealing.length > 0)
      return `${keyId} still seals in ${sealing.join(', ')}: put ${first?.keyId} first there, and run this again.`;
    if (rows > 0) return `${keyId} must stay: ${rows} are still sealed with it.`;
    if (!settled)
      return `${keyId} must stay: a change that may have sealed with it has not ended. Run this again.`;
    return `${keyId} is not used any more: it may be removed from ${file ?? 'SECRETS_KEYS'}. A backup from before needs it.`;
  });
  return ['Keys, the first one first:', ...used, ...advice];
}

/** An id that no key of this database has or had: `k` and a number. */
export async function newKeyId(db: Database, ring: KeyRing): Promise<string> {
  const known = await db.selectFrom('secret_key_checks').select('key_id').execute();
  const numbers = [...known.map((row) => row.key_id), ...ring.keyIds].map((id) =>
    Number(/^k(\d{1,9})$/.exec(id)?.[1] ?? 0),
  );
  return `k${Math.max(0, ...numbers) + 1}`;
}

/** What the database's clock says, to the microsecond. */
export async function timeOfDatabase(db: Database): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db);
  return rows[0]?.now ?? '';
}

/**
 * Whether a transaction that began by then and writes is still under way in this database: what it sealed is not to be seen before
 * it is committed. (One that only reads, such as a backup, has no `backend_xid`.)
 */
export async function isAnyChangeFrom(db: Database, time: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
      and backend_xid is not null and xact_start <= ${time}::timestamptz
    limit 1
  `.execute(db);
  return rows.length > 0;
}
