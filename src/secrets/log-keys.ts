import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { formatNote, noteKey, noteSignature, type NoteKey, type NoteSignature } from '@waybill/verify';
import { sql } from 'kysely';
import type { Config } from '../config/config.js';
import { fromNow } from '../database/database-time.js';
import type { Database, Transaction } from '../database/database.js';
import type { Logger } from '../logging/logger.js';
import { ThrottledLog } from '../logging/throttled-log.js';
import { logKeyLocation } from './encrypted-columns.js';
import { ExternalSigner, signerKey } from './external-signer.js';
import type { KeyRing } from './key-ring.js';

const DAY_MS = 86_400_000;

/** The logs have no name yet, or another one than the settings say. */
export class LogNameError extends Error {
  override readonly name = 'LogNameError';
}

/** How long earlier keys sign beside that of PROOF_SIGNER, in days: as with a new key of `rotate-secrets`. */
const OVERLAP_DAYS = 30;

/** A key that signs checkpoints now. */
export interface SigningKey {
  readonly publicKey: Buffer;
  /** Returns the signature of a text. @throws Error when there is none */
  sign(text: string): Promise<Buffer>;
}

/** A key of the logs. */
interface LogKey {
  readonly publicKey: Buffer;
  /** Null: it is outside. */
  readonly privateKey: KeyObject | null;
  readonly isSigning: boolean;
}

/** The name of the logs of the installation, and the keys that sign their checkpoints (docs/decisions/proof.md). */
export class LogKeys {
  private readonly errors: ThrottledLog;

  constructor(
    private readonly db: Database,
    private readonly ring: KeyRing,
    /** Begins the origin of each log. It never changes: events that were sent have it. */
    readonly logName: string,
    private readonly signer: ExternalSigner | null,
    logger: Logger,
  ) {
    this.errors = new ThrottledLog(logger);
  }

  /** Returns every key that has ever signed, newest first. */
  async all(): Promise<readonly NoteKey[]> {
    return (await this.read()).map(({ publicKey }) => noteKey(this.logName, publicKey));
  }

  /**
   * Returns the keys that sign now: several while a new one replaces another. A process has one signer: where its key
   * signs, other keys that are outside are left out.
   */
  async signing(): Promise<readonly SigningKey[]> {
    const keys = (await this.read()).filter(({ isSigning }) => isSigning);
    const isOwn = ({ publicKey }: LogKey): boolean => this.signer?.publicKey.equals(publicKey) === true;
    const usable = keys.some(isOwn) ? keys.filter((key) => key.privateKey !== null || isOwn(key)) : keys;
    return usable.map(({ publicKey, privateKey }) => ({
      publicKey,
      sign: async (text) =>
        privateKey === null ? this.signOutside(publicKey, text) : sign(null, Buffer.from(text), privateKey),
    }));
  }

  /** Returns the keys, newest first, without those that are not as the key ring has encrypted them. */
  private async read(): Promise<readonly LogKey[]> {
    const rows = await this.db
      .selectFrom('log_keys')
      .select(['id', 'public_key', 'key_id', 'nonce', 'ciphertext'])
      .select(sql<boolean>`signs_until is null or signs_until > now()`.as('is_signing'))
      .orderBy('created_at', 'desc')
      .execute();
    return rows.flatMap(({ id, public_key: publicKey, key_id: keyId, nonce, ciphertext, is_signing: isSigning }) => {
      try {
        const key = this.ring.open(logKeyLocation(this.logName, id), { keyId, nonce, ciphertext });
        const isOutside = key === outsideKey(publicKey);
        const privateKey = isOutside ? null : privateKeyOf(key);
        if (privateKey !== null && !publicKeyOf(privateKey).equals(publicKey))
          throw new Error('The public key is not that of the private key.');
        return [{ publicKey, privateKey, isSigning }];
      } catch (error) {
        this.errors.error(
          error,
          this.ring.keyIds.includes(keyId)
            ? 'a key of the logs was changed in the database; it is not used'
            : 'a key of the logs is not used: this process lacks the key that has encrypted it',
          { key: id },
        );
        return [];
      }
    });
  }

  private async signOutside(publicKey: Buffer, text: string): Promise<Buffer> {
    if (this.signer?.publicKey.equals(publicKey)) return this.signer.sign(text);
    const id = noteKey(this.logName, publicKey).id;
    throw new Error(
      `The key ${id} of the logs is outside, and PROOF_SIGNER_KEY is not it: set it and its signer, or run waybill rotate-secrets --new-log-key 0 with these settings.`,
    );
  }
}

/**
 * Returns a text as a note that a log has signed.
 * @param origin name of the log
 * @throws Error when one of the keys cannot sign, or there is none
 */
export async function signedNote(keys: readonly SigningKey[], origin: string, text: string): Promise<string> {
  if (keys.length === 0)
    throw new Error('No key signs: restore log_keys, or run waybill rotate-secrets --new-log-key.');
  const signatures: NoteSignature[] = [];
  for (const key of keys) signatures.push(noteSignature(noteKey(origin, key.publicKey), await key.sign(text)));
  return formatNote(text, signatures);
}

/**
 * Opens the keys of the logs. The first start makes the first key, and gives the logs their name. The first start with
 * a PROOF_SIGNER_KEY adds it, in place of the others. No start makes a replaced key sign again: in a rolling restart,
 * processes that still have it start as well.
 * @throws LogNameError when PROOF_LOG_NAME is another name than that of the logs
 */
export async function openLogKeys(
  db: Database,
  ring: KeyRing,
  config: Pick<Config, 'PROOF_LOG_NAME' | 'PUBLIC_URL' | 'SERVICE_DOMAINS' | 'PROOF_SIGNER' | 'PROOF_SIGNER_KEY'>,
  logger: Logger,
): Promise<LogKeys> {
  const given = config.PROOF_LOG_NAME;
  const { PROOF_SIGNER: where, PROOF_SIGNER_KEY: key } = config;
  const signer = where === undefined || key === undefined ? null : new ExternalSigner(where, signerKey(key));
  const host = config.PUBLIC_URL === undefined ? config.SERVICE_DOMAINS[0] : new URL(config.PUBLIC_URL).host;
  const name =
    (await nameOf(db)) ??
    (await withKeys(db, async (trx) => {
      const other = await nameOf(trx);
      if (other === null) await insertKey(trx, ring, given ?? host ?? 'waybill', signer?.publicKey);
      return other ?? given ?? host ?? 'waybill';
    }));
  if (given !== undefined && given !== name)
    throw new LogNameError(
      `PROOF_LOG_NAME is ${given}, and the logs of this installation are named ${name}: sent events have that name. Set ${name}, or nothing.`,
    );
  if (signer !== null) {
    const { publicKey } = signer;
    const found = await withKeys(db, async (trx) => {
      const row = await trx
        .selectFrom('log_keys')
        .select('signs_until')
        .where('public_key', '=', publicKey)
        .executeTakeFirst();
      if (!row) await replaceKeys(trx, ring, name, OVERLAP_DAYS, publicKey);
      return row;
    });
    if (found && found.signs_until !== null)
      logger.warn({ signs_until: found.signs_until }, 'another key of the logs has replaced PROOF_SIGNER_KEY');
  }
  return new LogKeys(db, ring, name, signer, logger);
}

/**
 * Makes a key that signs beside the others, and later alone; with PROOF_SIGNER_KEY, that one is it.
 * @param overlapDays how long the others sign still
 * @returns the key
 * @throws LogNameError when the service has never been started
 */
export async function addLogKey(
  db: Database,
  ring: KeyRing,
  overlapDays: number,
  { PROOF_SIGNER_KEY: key }: Pick<Config, 'PROOF_SIGNER_KEY'>,
): Promise<NoteKey> {
  return withKeys(db, async (trx) => {
    const name = await nameOf(trx);
    if (name === null)
      throw new LogNameError('The logs have no name yet: the first start of the service makes their first key.');
    return replaceKeys(trx, ring, name, overlapDays, key === undefined ? undefined : signerKey(key));
  });
}

/** Makes a key, or takes one that is outside, and ends the others. */
async function replaceKeys(
  trx: Transaction,
  ring: KeyRing,
  name: string,
  overlapDays: number,
  outside: Buffer | undefined,
): Promise<NoteKey> {
  await sql`
    update log_keys set signs_until = least(signs_until, ${fromNow(overlapDays * DAY_MS)})
    where signs_until is null or signs_until > now()`.execute(trx);
  return insertKey(trx, ring, name, outside);
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

/** @param outside the public key of PROOF_SIGNER; undefined: a new key */
async function insertKey(trx: Transaction, ring: KeyRing, logName: string, outside?: Buffer): Promise<NoteKey> {
  const key = outside === undefined ? newKey() : { publicKey: outside, secret: outsideKey(outside) };
  const made = noteKey(logName, key.publicKey);
  const { keyId: key_id, nonce, ciphertext } = ring.seal(logKeyLocation(logName, made.id), key.secret);
  await trx
    .insertInto('log_keys')
    .values({ log_name: logName, id: made.id, public_key: key.publicKey, key_id, nonce, ciphertext })
    .onConflict((conflict) =>
      conflict.columns(['log_name', 'id']).doUpdateSet({ signs_until: null, key_id, nonce, ciphertext }),
    )
    .execute();
  return made;
}

function newKey(): { readonly publicKey: Buffer; readonly secret: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKeyOf(publicKey),
    secret: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  };
}

/** What the key ring encrypts of a key that is outside. */
function outsideKey(publicKey: Buffer): string {
  return `outside ${publicKey.toString('base64')}`;
}

function privateKeyOf(secret: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(secret, 'base64'), format: 'der', type: 'pkcs8' });
}

/** The last 32 bytes of the DER are the key itself: https://www.rfc-editor.org/rfc/rfc8410#section-4 */
function publicKeyOf(key: KeyObject): Buffer {
  const of = key.type === 'private' ? createPublicKey(key) : key;
  return of.export({ format: 'der', type: 'spki' }).subarray(-32);
}
