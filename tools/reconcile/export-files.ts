import { open, stat, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { ExportedEvents } from './comparison/exported-events.js';

/** Name of standard input among the files. */
const STANDARD_INPUT = '-';

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
 * Reads a file, or standard input, line by line.
 * @throws Error with the reason, or with the line that holds no event
 */
export async function readInto(exported: ExportedEvents, file: string): Promise<void> {
  const source = file === STANDARD_INPUT ? null : await opened(file);
  const lines = source?.readLines() ?? createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  for await (const line of lines) {
    number += 1;
    try {
      exported.add(line);
    } catch (error) {
      const name = source === null ? 'Standard input' : file;
      throw new Error(
        `${name}, line ${number} ${error instanceof Error ? error.message : String(error)}. ` +
          'An export holds one event a line: docs/reconciliation.md shows how to make one.',
        { cause: error },
      );
    }
  }
}

async function opened(file: string): Promise<FileHandle> {
  const handle = await open(file).catch((error) => cannotRead(file, error));
  if (!(await handle.stat()).isDirectory()) return handle;
  await handle.close();
  throw new Error(`${resolve(file)} is a folder. Give the files in it, oldest first.`);
}

function cannotRead(file: string, error: unknown): never {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const where = resolve(file);
  const text = error instanceof Error ? error.message : String(error);
  const why =
    code === 'ENOENT' || code === 'ENOTDIR'
      ? `There is no file ${where}. Give the path of the export, or - for standard input.`
      : code === 'EACCES' || code === 'EPERM'
        ? `${where} may not be read by this user.`
        : `${where} cannot be read: ${text}`;
  throw new Error(why, { cause: error });
}
