import { randomBytes } from 'node:crypto';
import { chown, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { createOnce, writeDraft } from '../files/atomic-file.js';
import { syncFolder } from '../files/sync-folder.js';
import { KeyRingError } from './key-ring.js';

/** Returns the path of the key file of an installation with the embedded Postgres. */
export function keyFileOf(dataDir: string): string {
  return path.resolve(dataDir, 'secrets.keys');
}

/**
 * Returns the content of the key file; null when there is none.
 * @throws KeyRingError when it cannot be read
 */
export async function readKeys(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new KeyRingError(`The key file ${file} cannot be read. Check its owner and mode.`, {
      cause: error,
    });
  }
}

/** Creates the key file with a first key, unless there is one. Returns whether this process created it. */
export async function createKeys(file: string): Promise<boolean> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const made = await createOnce(file, `${newKey('k1')}\n`, { flush: true });
  // A power cut may not lose a key that already encrypts data.
  if (made) await syncFolder(path.dirname(file));
  return made;
}

/**
 * Puts a new key before those in the file. Replaces the file as a whole and keeps its owner. Not for two processes at
 * once.
 * @throws the system's error when the file cannot be written; the file is unchanged then
 */
export async function addKey(file: string, keyId: string): Promise<void> {
  const [keys, { uid, gid }] = [await readFile(file, 'utf8'), await stat(file)];
  const draft = await writeDraft(file, `${newKey(keyId)},${keys.trim()}\n`, { flush: true });
  try {
    // Root may rotate for a service that runs as another user.
    if (process.getuid?.() === 0) await chown(draft, uid, gid);
    await rename(draft, file);
    await syncFolder(path.dirname(file));
  } finally {
    await rm(draft, { force: true });
  }
}

function newKey(id: string): string {
  return `${id}:${randomBytes(32).toString('base64')}`;
}
