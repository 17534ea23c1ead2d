import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { LineSplitter } from '../readers/line-splitter.js';

/** Name of standard input among the files. */
export const STANDARD_INPUT = '-';

/** Bytes that are read at once. */
const CHUNK_BYTES = 1_048_576;

/** A file that was read. */
export interface ReadFile {
  readonly name: string;
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  /** Of a CSV export of Waybill: the one column that is read. The others are not verified. */
  readonly column?: 'event';
}

/** Returns the name of a file in a report. */
export function nameOf(file: string): string {
  return file === STANDARD_INPUT ? 'standard input' : file;
}

/**
 * Reads a file or standard input, line by line, also where it is compressed with gzip.
 * @param onLine called with each line and its number, from 1
 * @returns what identifies the file: of a compressed one, as it is
 * @throws LineError with file and line for a line that cannot be read; any other error of `onLine` as it is
 */
export async function readLines(file: string, onLine: (line: string, number: number) => void): Promise<ReadFile> {
  const source =
    file === STANDARD_INPUT ? process.stdin : (await opened(file)).createReadStream({ highWaterMark: CHUNK_BYTES });
  const hash = createHash('sha256');
  const decoder = new TextDecoder();
  let bytes = 0;
  const lines = new LineSplitter(nameOf(file), onLine);
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      const buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
      hash.update(buffer);
      bytes += buffer.length;
      yield buffer;
    }
  }
  try {
    for await (const chunk of decompressed(file, hashed())) lines.push(decoder.decode(chunk, { stream: true }));
    lines.push(decoder.decode());
    lines.end();
  } finally {
    source.destroy();
  }
  return { name: nameOf(file), bytes, sha256: hash.digest('hex'), ...(lines.isCsv && { column: 'event' }) };
}

/**
 * Yields what bytes are when they are decompressed, if they begin as those of gzip do.
 * @throws Error that names the file, if it is cut or corrupt, or has data after its members of gzip
 */
async function* decompressed(file: string, source: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const first = await source.next();
  if (first.done === true) return;
  const begin = first.value;
  let bytes = begin.length;
  async function* all(): AsyncGenerator<Buffer> {
    yield begin;
    for await (const chunk of source) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  if (begin[0] !== 0x1f || begin[1] !== 0x8b) {
    yield* all();
    return;
  }
  const gunzip = createGunzip();
  const fed = pipeline(all(), gunzip);
  // The error is thrown below. A reader that stops early ends the pipeline with one too.
  fed.catch(() => {});
  try {
    yield* gunzip;
    // Gunzip ends at a zero byte after a member, without an error.
    if (gunzip.bytesWritten < bytes) throw new Error('it has data after the end of its gzip data');
    await fed;
  } catch (error) {
    cannotRead(file, error);
  }
}

async function opened(file: string): Promise<FileHandle> {
  const handle = await open(file).catch((error) => cannotRead(file, error));
  if (!(await handle.stat()).isDirectory()) return handle;
  await handle.close();
  throw new Error(`${resolve(file)} is a folder. Give the files in it, oldest first.`);
}

/** @throws Error that says why a file cannot be read */
export function cannotRead(file: string, error: unknown): never {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const where = file === STANDARD_INPUT ? nameOf(file) : resolve(file);
  const text = error instanceof Error ? error.message : String(error);
  const why =
    code === 'ENOENT' || code === 'ENOTDIR'
      ? `There is no file ${where}. Give the path of the export, or - for standard input.`
      : code === 'EACCES' || code === 'EPERM'
        ? `${where} may not be read by this user.`
        : `${where} cannot be read: ${text}`;
  throw new Error(why, { cause: error });
}
