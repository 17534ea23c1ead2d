import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { HASH_BYTES } from '../log/sha256.js';
import { TILE_WIDTH, tilePath, type TileReader } from '../log/tiles.js';

/** Longest wait for a response. */
const TIMEOUT_MS = 60_000;

/** Reads the files of logs, from folders and from addresses. */
export class LogFiles {
  /** @param apiKey sent to addresses; empty for none */
  constructor(private readonly apiKey: string) {}

  /** Returns the text of a checkpoint, a proof or a list of keys. @throws Error with the reason */
  async text(where: string): Promise<string> {
    return new TextDecoder('utf-8', { fatal: true }).decode(await this.bytes(where));
  }

  /** Returns what reads the tiles below a folder or an address. */
  tiles(prefix: string): TileReader {
    const read = (file: string) =>
      this.bytes(isAddress(prefix) ? `${prefix.replace(/\/+$/, '')}/${file}` : path.join(prefix, file));
    return (tile) => {
      if (tile.width === TILE_WIDTH) return read(tilePath(tile));
      // A log may delete a partial tile when the whole one is there.
      const whole = async () =>
        (await read(tilePath({ ...tile, width: TILE_WIDTH }))).subarray(0, tile.width * HASH_BYTES);
      return read(tilePath(tile)).catch((error: unknown) =>
        whole().catch(() => {
          throw error;
        }),
      );
    };
  }

  private async bytes(where: string): Promise<Uint8Array> {
    if (!isAddress(where)) return readFile(where);
    const headers = { 'Service-Version': '2', ...(this.apiKey !== '' && { Authorization: `Bearer ${this.apiKey}` }) };
    // The key is for this address, and for no other.
    const response = await fetch(where, { headers, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`${where} answered with ${response.status}.`);
    return new Uint8Array(await response.arrayBuffer());
  }
}

/** Returns where the tiles of a log are: beside its checkpoint. */
export function besideCheckpoint(where: string): string {
  return isAddress(where) ? where.replace(/\/[^/?#]*([?#].*)?$/s, '') : path.dirname(where);
}

function isAddress(where: string): boolean {
  return /^https?:\/\//i.test(where);
}
