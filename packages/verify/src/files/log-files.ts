import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { HASH_BYTES } from '../log/sha256.js';
import { TILE_WIDTH, tilePath, type TileReader } from '../log/tiles.js';
import { fetchFile } from './fetch-file.js';

/** What to do where an address wants an API key, or another one. */
const UNAUTHORIZED =
  'Set WAYBILL_API_KEY to an API key of the role auditor, or give a link of the log: the checkpoint_url of POST /event_destinations/{id}/log_links.';

/** Begins as a verifier key does; a path may have a plus sign too. */
const KEYS = /^[^+]+\+[0-9a-f]{8}\+./;

/** A file of a log that was read. */
export interface ReadStatement {
  readonly kind: 'checkpoint' | 'erasure records' | 'proof';
  /** `shownPlace` of its path or address. */
  readonly name: string;
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/**
 * Returns verifier keys. An address gets no API key: lists of keys are public, and it may be anyone's.
 * @param given keys, and files or addresses with one a line
 * @throws Error for a file or an address without a key, and as `LogFiles.text`
 */
export async function readKeys(given: readonly string[]): Promise<readonly string[]> {
  const files = new LogFiles('');
  const read = given.map(async (where) => {
    const text = KEYS.test(where) ? where : await files.text(where);
    const keys = text.split('\n').filter((line) => line.trim() !== '');
    if (keys.length === 0) throw new Error(`${shownPlace(where)} holds no verifier key.`);
    return keys;
  });
  return (await Promise.all(read)).flat();
}

/** Returns what is wrong with an API key; null for a usable one, or none. Errors of the HTTP client would show it. */
export function keyError(key: string): string | null {
  return /^[\x21-\x7e]*$/.test(key) ? null : 'WAYBILL_API_KEY holds a space or another invalid character.';
}

/** Reads the files of logs, from folders and from addresses. */
export class LogFiles {
  /** What was read of each kind. */
  readonly statements: ReadStatement[] = [];

  /** @param apiKey sent to addresses; empty for none */
  constructor(private readonly apiKey: string) {}

  /** Returns the text of a statement of a log, or of a list of keys. @throws Error with the reason */
  async text(where: string, kind?: ReadStatement['kind']): Promise<string> {
    const bytes = await this.bytes(where);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (kind !== undefined) this.statements.push({ kind, name: shownPlace(where), bytes: bytes.length, sha256 });
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  }

  /** Returns what reads the tiles below a folder or an address. */
  tiles(prefix: string): TileReader {
    const read = (file: string) =>
      this.bytes(isAddress(prefix) ? `${prefix.replace(/\/+$/, '')}/${file}` : path.join(prefix, file));
    return async (tile) => {
      try {
        return await read(tilePath(tile));
      } catch (error) {
        // A log may delete a partial tile when the whole one is there.
        const whole =
          tile.width === TILE_WIDTH ? null : await read(tilePath({ ...tile, width: TILE_WIDTH })).catch(() => null);
        if (whole !== null) return whole.subarray(0, tile.width * HASH_BYTES);
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`give the folder or the address that has \`tile/\` with --tiles (${reason})`, { cause: error });
      }
    };
  }

  private async bytes(where: string): Promise<Uint8Array> {
    if (!isAddress(where)) return readFile(where);
    const error = keyError(this.apiKey) ?? addressError(where);
    if (error !== null) throw new Error(error);
    const { status, bytes } = await fetchFile(where, this.apiKey);
    if (status === 200) return bytes;
    throw new Error(`${shownPlace(where)} answered with ${status}.${status === 401 ? ` ${UNAUTHORIZED}` : ''}`);
  }
}

/**
 * Returns a path or an address as a report has it: without the token of a link, a password and a query, which may let
 * a reader have the log.
 */
export function shownPlace(where: string): string {
  if (!isAddress(where)) return where;
  return where
    .replace(/[?#].*$/s, '?…')
    .replace(/^(https?:\/\/)[^/]*@/i, '$1…@')
    .replace(/(\/links\/[^/]{0,8})[^/]*/g, '$1…');
}

/** Returns why an address cannot be asked; null: it can. The errors of `fetch` would have the whole address. */
function addressError(where: string): string | null {
  if (!URL.canParse(where)) return `${shownPlace(where)} is not a URL.`;
  const { username, password } = new URL(where);
  return username === '' && password === '' ? null : `${shownPlace(where)} must not have a user or a password.`;
}

/** Returns where the tiles of a log are: beside its checkpoint. */
export function besideCheckpoint(where: string): string {
  return isAddress(where) ? where.replace(/\/[^/?#]*([?#].*)?$/s, '') : path.dirname(where);
}

function isAddress(where: string): boolean {
  return /^https?:\/\//i.test(where);
}
