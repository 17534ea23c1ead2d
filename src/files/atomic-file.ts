import { randomBytes } from 'node:crypto';
import { link, rm, writeFile } from 'node:fs/promises';

/** How a file is written. */
export interface WriteOptions {
  /** Whether the content is flushed to disk before the file gets its name; false by default. */
  readonly flush?: boolean;
}

/** Writes a draft next to `file` (mode 0600), to be renamed or linked to it. Returns the path of the draft. */
export async function writeDraft(file: string, text: string, options: WriteOptions = {}): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, text, { ...options, mode: 0o600, flag: 'wx' });
  return draft;
}

/**
 * Creates `file` (mode 0600) unless it exists. Atomic: no reader sees a part of the file, and one of several concurrent
 * calls creates it.
 * @returns whether this call created the file
 */
export async function createOnce(file: string, text: string, options: WriteOptions = {}): Promise<boolean> {
  const draft = await writeDraft(file, text, options);
  try {
    // Unlike a rename, a link fails when the file exists.
    await link(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
