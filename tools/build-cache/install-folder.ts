import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { filesBelow } from './cached-folder.js';
import { DRAFT_END, replaceFile } from './replace-file.js';

/** How long files stay that nothing names any more, in milliseconds: a service that runs may load them later. */
const KEPT_MS = 86_400_000;

/**
 * Puts the files of a folder to another one, without those of tools, which begin with a dot. Several processes may do
 * this at once.
 * @param entry the file that names the others, and comes after them. What only an older one names stays for a day
 */
export async function installFolder(folder: string, target: string, entry: string): Promise<void> {
  const files = (await filesBelow(folder, '.')).filter((file) => !file.startsWith('.'));
  const named = files.filter((file) => file !== entry);
  for (const file of [...named, entry]) await replaceFile(path.join(folder, file), path.join(target, file));
  const stale = (await filesBelow(target, '.')).filter((file) => !files.includes(file) && !file.endsWith(DRAFT_END));
  for (const file of stale) {
    // Null: another process has removed it.
    const found = await stat(path.join(target, file)).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > KEPT_MS) await rm(path.join(target, file), { force: true });
  }
}
