import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** End of the names of files that are being written. */
export const DRAFT_END = '.new';

/**
 * Writes a copy of a file, where it differs from what is there. Other processes may read or replace the target at that
 * moment: they see the old content or the new one.
 */
export async function replaceFile(source: string, target: string): Promise<void> {
  const content = await readFile(source);
  const before = await readFile(target).catch(() => null);
  if (before?.equals(content)) return;
  await mkdir(path.dirname(target), { recursive: true });
  const draft = `${target}.${randomUUID()}${DRAFT_END}`;
  await writeFile(draft, content);
  await rename(draft, target);
}
