import { stat } from 'node:fs/promises';
import { cannotRead, nameOf, readLines, STANDARD_INPUT } from '@waybill/verify';
import { LineError } from '@waybill/verify/readers';
import type { TestedFile } from './comparison/evidence.js';
import type { ExportedEvents } from './comparison/exported-events.js';
import type { FileToRead } from './comparison/read-again.js';

/**
 * Returns the modification time of the newest file; for standard input, the current time.
 * @throws Error that names a missing file
 */
export async function newestChange(files: readonly string[]): Promise<Date> {
  if (files.includes(STANDARD_INPUT)) return new Date();
  const changes = await Promise.all(
    files.map(async (file) => (await stat(file).catch((error) => cannotRead(file, error))).mtimeMs),
  );
  return new Date(Math.max(...changes));
}

/**
 * Reads a file, or standard input, line by line, also where it is compressed with gzip.
 * @returns what identifies the file
 * @throws Error with the reason, or with the line that holds no event
 */
export async function readInto(exported: ExportedEvents, file: string): Promise<TestedFile> {
  try {
    return await readLines(file, (text, line) => exported.add(text, { file: nameOf(file), line }));
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    throw new Error(`${error.message} docs/reconciliation.md shows how to make one.`, { cause: error });
  }
}

/** Returns the files that can be read again: standard input cannot be. */
export function readableAgain(files: readonly string[]): readonly FileToRead[] {
  return files
    .filter((file) => file !== STANDARD_INPUT)
    .map((file) => ({ name: file, read: (onLine) => readLines(file, onLine) }));
}
