import { HASH_BYTES } from '../log/sha256.js';
import { TILE_WIDTH } from '../log/tiles.js';

/** Hashes of the leaves of a tile, one after the other, and a byte for each: 1 if it is held. */
const TILE_BYTES = TILE_WIDTH * (HASH_BYTES + 1);

/** The leaf hashes of the events of an export: 33 bytes for each event, in tiles of 256. */
export class LeafStore {
  private readonly tiles = new Map<number, Uint8Array>();
  private readonly last = { index: -1, tile: new Uint8Array(0) };

  /** Returns the hash of a leaf; undefined if there is none. */
  get(index: number): Uint8Array | undefined {
    const tile = this.tileAt(index);
    const at = index % TILE_WIDTH;
    if (tile?.[TILE_WIDTH * HASH_BYTES + at] !== 1) return undefined;
    return tile.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES);
  }

  /** Adds the hash of a leaf that is not there yet. */
  set(index: number, hash: Uint8Array): void {
    const tile = this.tileAt(index) ?? new Uint8Array(TILE_BYTES);
    this.tiles.set(Math.floor(index / TILE_WIDTH), tile);
    tile.set(hash, (index % TILE_WIDTH) * HASH_BYTES);
    tile[TILE_WIDTH * HASH_BYTES + (index % TILE_WIDTH)] = 1;
  }

  /** Whether no leaf is there. */
  get isEmpty(): boolean {
    return this.tiles.size === 0;
  }

  /** Returns whether any leaf of a tile is there. */
  hasTile(tile: number): boolean {
    return this.tiles.has(tile);
  }

  private tileAt(index: number): Uint8Array | undefined {
    const number = Math.floor(index / TILE_WIDTH);
    if (this.last.index === number) return this.last.tile;
    const tile = this.tiles.get(number);
    if (tile !== undefined) Object.assign(this.last, { index: number, tile });
    return tile;
  }
}
