import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../../files/sync-folder.js';
import type { ByteRange } from '../../http/response/byte-range.js';
import { StorageError, type ExportStorage, type Upload } from './export-storage.js';

/** Name of the folder in the database. Processes may have it at different paths. */
export const FOLDER_NAME = 'folder';

/** End of the name of a file that is not finished. */
const UNFINISHED = '.part';

const full: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];
const refused: readonly unknown[] = ['EACCES', 'EPERM', 'EROFS'];

/** Files of exports in a folder that all processes reach. They can be read by the user of the service only. */
export class LocalFolder implements ExportStorage {
  readonly name = FOLDER_NAME;

  constructor(private readonly folder: string) {}

  async begin(name: string): Promise<Upload> {
    const file = path.join(this.folder, name);
    const unfinished = `${file}${UNFINISHED}`;
    const handle = await guarded(async () => {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      return open(unfinished, 'w', 0o600);
    });
    return {
      write: (chunk) => guarded(() => handle.writeFile(chunk)),
      finish: () =>
        guarded(async () => {
          await handle.sync();
          await handle.close();
          await rename(unfinished, file);
          await syncFolder(this.folder);
        }),
      abort: () => discard(handle, unfinished),
    };
  }

  async sizeOf(name: string): Promise<number | null> {
    try {
      return (await stat(path.join(this.folder, name))).size;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw storageError(error);
    }
  }

  async *read(name: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    const part = range && { start: range.first, end: range.last };
    const content: AsyncIterable<Uint8Array> = createReadStream(path.join(this.folder, name), part);
    yield* content;
  }

  async remove(names: readonly string[], signal: AbortSignal): Promise<void> {
    for (const name of names) {
      signal.throwIfAborted();
      const file = path.join(this.folder, name);
      await guarded(async () => {
        await rm(file, { force: true });
        await rm(`${file}${UNFINISHED}`, { force: true });
      });
    }
  }
}

async function discard(handle: FileHandle, unfinished: string): Promise<void> {
  await handle.close().catch(() => undefined);
  await rm(unfinished, { force: true }).catch(() => undefined);
}

/** @throws StorageError for what the work throws */
async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw storageError(error);
  }
}

function storageError(error: unknown): StorageError {
  const code = codeOf(error);
  if (full.includes(code)) return new StorageError('storage_full', 'The disk of the exports is full.', error);
  if (refused.includes(code))
    return new StorageError('storage_refused', 'Waybill may not write to the folder of the exports.', error);
  return new StorageError('storage_unavailable', `The folder of the exports cannot be used (${String(code)}).`, error);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
