import { open } from 'node:fs/promises';

/** Flushes the names in a folder to disk, so that a file created or renamed there survives a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows stores names with the files, and cannot open a folder.
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
