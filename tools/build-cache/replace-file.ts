import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Writes a copy of a file, where it differs from what is there. A process may read the target at that moment: it sees
 * the old content or the new one.
 */
export async function replaceFile(source: string, target: string): Promise<void> {
  const content = await readFile(source);
  const before = await readFile(target).catch(() => null);
  if (before?.equals(content)) return;
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(`${target}.new`, content);
  await rename(`${target}.new`, target);
}
