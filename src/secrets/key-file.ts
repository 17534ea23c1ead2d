import { randomBytes } from 'node:crypto';
import { chown, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../files/sync-folder.js';
import { createOnce, writeDraft } from '../files/atomic-file.js';
import { KeyRingError } from './key-ring.js';

/** The file that the generated keys of an embedded installation are in. */
export function keyFileOf(dataDir: string): string {
  return path.resolve(dataDir, 'secrets.keys');
}

/**
 * The keys in `file`, as they stand there; null when there is no such file.
 * @throws KeyRingError when it cannot be read
 */
export async function readKeys(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new KeyRingError(`${file} holds the key that seals secrets, and it cannot be read.`, {
      cause: error,
    });
  }
}

/** Makes the first key and keeps it in `file`, unless another process was first: its key is the one. Gives whether it was made here. */
export async function makeKeys(file: string): Promise<boolean> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const made = await createOnce(file, `${newKey('k1')}\n`, { flush: true });
  // A key may not be gone after a power cut that something is sealed with already.
  if (made) await syncFolder(path.dirname(file));
  return made;
}

/**
 * Puts a new key before those in `file`, which is replaced as a whole and stays its owner's. Only for one process at a time.
 * @throws the system's error when it cannot be written; then it is as it was
 */
export async function addKey(file: string, keyId: string): Promise<void> {
  const [keys, { uid, gid }] = [await readFile(file, 'utf8'), await stat(file)];
  const draft = await writeDraft(file, `${newKey(keyId)},${keys.trim()}\n`, { flush: true });
  try {
    // Root may do this for a service that runs as somebody else.
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
