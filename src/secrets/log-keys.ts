import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { formatNote, noteKey, noteSignature, type NoteKey } from '@waybill/verify';
import { sql } from 'kysely';
import type { Config } from '../config/config.js';
import { fromNow } from '../database/database-time.js';
import type { Database, Transaction } from '../database/database.js';
import { logKeyLocation } from './encrypted-columns.js';
import type { KeyRing } from './key-ring.js';

const DAY_MS = 86_400_000;

/** The logs have no name yet, or another one than the settings say. */
export class LogNameError extends Error {
  override readonly name = 'LogNameError';
}

/** A key that signs checkpoints now. */
export interface SigningKey {
  readonly publicKey: Buffer;
  readonly privateKey: KeyObject;
}

/** The name of the logs of the installation, and the keys that sign their checkpoints (docs/decisions/proof.md). */
export class LogKeys {
  constructor(
    private readonly db: Database,
    private readonly ring: KeyRing,
    /** Begins the origin of each log. It never changes: events that were sent have it. */
    readonly logName: string,
  ) {}

  /** Returns every key that has ever signed, newest first. */
  async all(): Promise<readonly NoteKey[]> {
    const rows = await this.db.selectFrom('log_keys').select('public_key').orderBy('created_at', 'desc').execute();
    return rows.map(({ public_key: publicKey }) => noteKey(this.logName, publicKey));
  }

  /**
   * Returns the keys that sign now: several while a new one replaces another.
   * @throws KeyRingError when the ring lacks the key of one
   */
  async signing(): Promise<readonly SigningKey[]> {
    const rows = await this.db
      .selectFrom('log_keys')
      .select(['id', 'public_key', 'key_id', 'nonce', 'ciphertext'])
      .where(sql<boolean>`signs_until is null or signs_until > now()`)
      .orderBy('created_at', 'desc')
      .execute();
    return rows.map(({ id, public_key: publicKey, key_id: keyId, nonce, ciphertext }) => {
      const key = this.ring.open(logKeyLocation(this.logName, id), { keyId, nonce, ciphertext });
      return {
        publicKey,
        privateKey: createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' }),
      };
    });
  }
}

/** Returns a text as a note that a log has signed. @param origin name of the log */
export function signedNote(keys: readonly SigningKey[], origin: string, text: string): string {
  const bytes = Buffer.from(text);
  const signatures = keys.map(({ publicKey, privateKey }) =>
    noteSignature(noteKey(origin, publicKey), sign(null, bytes, privateKey)),
  );
  return formatNote(text, signatures);
}

/**
 * Opens the keys of the logs. The first start makes the first key, and gives the logs their name.
 * @throws LogNameError when PROOF_LOG_NAME is another name than that of the logs
 */
export async function openLogKeys(
  db: Database,
  ring: KeyRing,
  config: Pick<Config, 'PROOF_LOG_NAME' | 'PUBLIC_URL' | 'SERVICE_DOMAINS'>,
): Promise<LogKeys> {
  const given = config.PROOF_LOG_NAME;
  const host = config.PUBLIC_URL === undefined ? config.SERVICE_DOMAINS[0] : new URL(config.PUBLIC_URL).host;
  const name =
    (await nameOf(db)) ??
    (await withKeys(db, async (trx) => {
      const other = await nameOf(trx);
      if (other === null) await insertKey(trx, ring, given ?? host ?? 'waybill');
      return other ?? given ?? host ?? 'waybill';
    }));
  if (given !== undefined && given !== name)
    throw new LogNameError(
      `PROOF_LOG_NAME is ${given}, and the logs of this installation are named ${name}: sent events have that name. Set ${name}, or nothing.`,
    );
  return new LogKeys(db, ring, name);
}

/**
 * Makes a key that signs beside the others, and later alone.
 * @param overlapDays how long the others sign still
 * @returns the new key
 * @throws LogNameError when the service has never been started
 */
export async function addLogKey(db: Database, ring: KeyRing, overlapDays: number): Promise<NoteKey> {
  return withKeys(db, async (trx) => {
    const name = await nameOf(trx);
    if (name === null)
      throw new LogNameError('The logs have no name yet: the first start of the service makes their first key.');
    await sql`
      update log_keys set signs_until = least(signs_until, ${fromNow(overlapDays * DAY_MS)})
      where signs_until is null or signs_until > now()`.execute(trx);
    return insertKey(trx, ring, name);
  });
}

/** Runs `work` while no other process adds a key. */
function withKeys<T>(db: Database, work: (trx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await sql`lock table log_keys in share row exclusive mode`.execute(trx);
    return work(trx);
  });
}

async function nameOf(db: Database): Promise<string | null> {
  const row = await db.selectFrom('log_keys').select('log_name').limit(1).executeTakeFirst();
  return row?.log_name ?? null;
}

async function insertKey(trx: Transaction, ring: KeyRing, logName: string): Promise<NoteKey> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  // The last 32 bytes of the DER are the key itself: https://www.rfc-editor.org/rfc/rfc8410#section-4
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const key = noteKey(logName, raw);
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const { keyId, nonce, ciphertext } = ring.seal(logKeyLocation(logName, key.id), secret);
  await trx
    .insertInto('log_keys')
    .values({ log_name: logName, id: key.id, public_key: raw, key_id: keyId, nonce, ciphertext })
    .execute();
  return key;
}
