import type { ByteRange } from '../../http/response/byte-range.js';

/**
 * Why a file cannot be written. `storage_full`: there is no space, or the file exceeds the largest size.
 * `storage_refused`: Waybill has no access. `storage_unavailable`: everything else.
 */
export type StorageErrorCode = 'storage_full' | 'storage_refused' | 'storage_unavailable';

/** An error of the storage. The message is for the client: it has neither paths nor addresses. */
export class StorageError extends Error {
  override readonly name = 'StorageError';

  constructor(
    readonly code: StorageErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** A file that is being written. Nothing has its name before `finish`. */
export interface Upload {
  /** Writes the next bytes; to be awaited before the next call. @throws StorageError */
  write(chunk: Uint8Array): Promise<void>;
  /** Gives the file its name, when it is safely stored. @throws StorageError */
  finish(): Promise<void>;
  /** Removes what was written. Never throws. */
  abort(): Promise<void>;
}

/** Where the files of exports are. Names of files have no folders. */
export interface ExportStorage {
  /** Names the storage in the database, so that its files are found after the settings have changed. */
  readonly name: string;
  /**
   * Begins a file.
   * @param signal ends the calls of the upload
   * @throws StorageError
   */
  begin(name: string, signal: AbortSignal): Promise<Upload>;
  /** Returns the size of a file in bytes; null when this process finds no such file. @throws StorageError */
  sizeOf(name: string): Promise<number | null>;
  /** Reads a file, or a part of it, from the first iteration on. */
  read(name: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /**
   * Removes those of these files that exist, and what unfinished uploads of them have left.
   * @param signal ends the calls
   * @throws StorageError; the reason of the signal
   */
  remove(names: readonly string[], signal: AbortSignal): Promise<void>;
}
