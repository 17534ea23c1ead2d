import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import type { Logger } from '../logging/logger.js';
import { proveKeyRing } from './key-proof.js';
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
  const ring = KeyRing.parse(await keyText(config, logger));
  await proveKeyRing(store.db, ring, logger);
  return ring;
}

async function keyText(config: Config, logger: Logger): Promise<string> {
  if (config.SECRETS_KEYS !== undefined) return config.SECRETS_KEYS;
  if (config.DATABASE_URL !== undefined) {
    throw new KeyRingError(
      'SECRETS_KEYS is not set. With DATABASE_URL the key that seals secrets is yours to make and to keep, apart from the ' +
        `database and its backups. Make one with: ${MAKE_A_KEY}`,
    );
  }
  return generatedKey(path.resolve(config.DATA_DIR, 'secrets.keys'), logger);
}

/** The key in `file`, made now if there is none. It appears whole or not at all, and is never written over. */
async function generatedKey(file: string, logger: Logger): Promise<string> {
  const existing = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new KeyRingError(`${file} holds the key that seals secrets and cannot be read: ${error.message}`, {
      cause: error,
    });
  });
  if (existing !== null) return existing.trim();
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `k1:${randomBytes(32).toString('base64')}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
  try {
    await chmod(draft, 0o600);
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
