import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import type { Logger } from '../logging/logger.js';
import { keysInUse, proveKeyRing } from './key-proof.js';
import { KeyRing, KeyRingError, MAKE_A_KEY } from './key-ring.js';

/**
 * The key ring of this installation, proven against the database: SECRETS_KEYS when it is set; otherwise, and only with the
 * embedded Postgres, a key that is generated once and kept in DATA_DIR/secrets.keys (mode 0600).
 * @throws KeyRingError when there is no key, when one cannot be read, or when the ring is not the one that sealed what the
 * database holds. The message says what to do.
 */
export async function openKeyRing(
  config: Config,
  store: { readonly db: Database },
  logger: Logger,
): Promise<KeyRing> {
  const ring = await readKeyRing(config, store.db, logger);
  await proveKeyRing(store.db, ring, logger);
  return ring;
}

async function readKeyRing(config: Config, db: Database, logger: Logger): Promise<KeyRing> {
  if (config.SECRETS_KEYS !== undefined) return KeyRing.parse(config.SECRETS_KEYS);
  if (config.DATABASE_URL !== undefined) {
    throw new KeyRingError(
      'SECRETS_KEYS is not set. With DATABASE_URL the key that seals secrets is yours to make and to keep, apart from the ' +
        `database and its backups. Make one with: ${MAKE_A_KEY}`,
    );
  }
  const file = path.resolve(config.DATA_DIR, 'secrets.keys');
  const existing = await readKeys(file);
  if (existing !== null) return KeyRing.parse(existing, file);
  const inUse = await keysInUse(db);
  if (inUse.length > 0) {
    throw new KeyRingError(
      `${file} is gone, and the database holds secrets that are sealed with the key ${inUse.join(', ')} in it. Put the file ` +
        'back from a backup, or give its content as SECRETS_KEYS. Without it those secrets cannot be read by anyone.',
    );
  }
  return KeyRing.parse(await makeKeys(file, logger), file);
}

/** The keys in `file`; null when there is no such file. */
async function readKeys(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new KeyRingError(`${file} holds the key that seals secrets, and it cannot be read.`, {
      cause: error,
    });
  }
}

/** Makes a key and keeps it in `file`, which appears whole or not at all and is never written over. Returns what is there. */
async function makeKeys(file: string, logger: Logger): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `k1:${randomBytes(32).toString('base64')}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
  try {
    await link(draft, file);
    logger.info(
      { file },
      'made the key that seals secrets; without this file they are lost: back it up with the data',
    );
  } catch (error) {
    // Another process was first: its key is the one.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readFile(file, 'utf8')).trim();
}
