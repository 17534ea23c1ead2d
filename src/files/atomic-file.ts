import { randomBytes } from 'node:crypto';
import { link, rm, writeFile } from 'node:fs/promises';

/** How a file is written. */
export interface WriteOptions {
  /** Down to the disk before it gets its name; not so unless told. */
  readonly flush?: boolean;
}

/** Writes a file beside `file` that its owner alone may read, to take its place. Gives its path. */
export async function writeDraft(file: string, text: string, options: WriteOptions = {}): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, text, { ...options, mode: 0o600, flag: 'wx' });
  return draft;
}

/**
 * Makes `file` if there is none, for its owner alone to read. It appears whole: nobody sees a part of it, and of many
 * that make it at once one does.
 * @returns whether it was made here
 */
export async function createOnce(file: string, text: string, options: WriteOptions = {}): Promise<boolean> {
  const draft = await writeDraft(file, text, options);
  try {
    // Unlike a rename, a link fails where there is a file.
    await link(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
