import { createHash } from 'node:crypto';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { TestedFile } from './comparison/evidence.js';
import { LinePicker, type ExportedEvents } from './comparison/exported-events.js';
import type { Place } from './comparison/held-event.js';

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

/** Name of standard input in a report. */
const STANDARD_INPUT_NAME = 'standard input';

/**
 * Reads a file, or standard input, line by line.
 * @returns what identifies the file
 * @throws Error with the reason, or with the line that holds no event
 */
export async function readInto(exported: ExportedEvents, file: string): Promise<TestedFile> {
  const source = file === STANDARD_INPUT ? null : await opened(file);
  const hashed = new HashedSource(source?.createReadStream() ?? process.stdin);
  const input = Readable.from(hashed);
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const name = source === null ? STANDARD_INPUT_NAME : file;
  let number = 0;
  for await (const line of lines) {
    number += 1;
    try {
      exported.add(line, { file: name, line: number });
    } catch (error) {
      input.destroy();
      throw new Error(
        `${source === null ? 'Standard input' : file}, line ${number} ${error instanceof Error ? error.message : String(error)}. ` +
          'An export holds one event a line: docs/reconciliation.md shows how to make one.',
        { cause: error },
      );
    }
  }
  return { name, ...hashed.end() };
}

/** Passes the bytes of a file on, and hashes them. */
class HashedSource implements AsyncIterable<Buffer> {
  private readonly hash = createHash('sha256');
  private bytes = 0;

  constructor(private readonly source: AsyncIterable<Buffer>) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for await (const chunk of this.source) {
      this.hash.update(chunk);
      this.bytes += chunk.length;
      yield chunk;
    }
  }

  /** Returns size and SHA-256 of all bytes. */
  end(): Omit<TestedFile, 'name'> {
    return { bytes: this.bytes, sha256: this.hash.digest('hex') };
  }
}

/** Returns the text of some lines of the files. Standard input cannot be read again. */
export async function linesAt(files: readonly string[], places: readonly Place[]): Promise<ReadonlyMap<Place, string>> {
  const found = new Map<Place, string>();
  for (const file of files) {
    const wanted = places.filter((place) => place.file === file);
    if (file === STANDARD_INPUT || wanted.length === 0) continue;
    const picker = new LinePicker(wanted, found);
    for await (const line of (await opened(file)).readLines()) picker.next(line);
  }
  return found;
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
