import { open } from 'node:fs/promises';

/** Has the disk keep the names in a folder, so that what was made or renamed there is found after a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows keeps names with the files, and opens no folder.
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
