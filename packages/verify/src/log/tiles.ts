import { hashNode, leftSize, rootOf } from './merkle.js';
import { HASH_BYTES } from './sha256.js';

/** Hashes of a full tile. https://c2sp.org/tlog-tiles */
export const TILE_WIDTH = 256;

/** Address of a tile. */
export interface TileAddress {
  /** 0: its hashes are those of leaves; else those of full tiles of the level below. */
  readonly level: number;
  readonly index: number;
  /** Number of its hashes, 1 to 256. */
  readonly width: number;
}

/** Returns the bytes of a tile: its hashes, one after the other. */
export type TileReader = (tile: TileAddress) => Promise<Uint8Array>;

/** Returns the path of a tile: `tile/0/x001/234`, `tile/1/000.p/17`. */
export function tilePath({ level, index, width }: TileAddress): string {
  const groups = [String(index % 1000).padStart(3, '0')];
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000))
    groups.unshift(`x${String(rest % 1000).padStart(3, '0')}`);
  return `tile/${level}/${groups.join('/')}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

/** Returns the address in a path; null if it is the path of no tile. */
export function parseTilePath(path: string): TileAddress | null {
  const match = /^tile\/(\d{1,2})\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path);
  if (match === null) return null;
  const [, level = '', index = '', width = String(TILE_WIDTH)] = match;
  const tile = { level: Number(level), index: Number(index.replaceAll(/[x/]/g, '')), width: Number(width) };
  // Each tile has one path: no zeroes that could be left out.
  return tile.level < 64 && tile.width >= 1 && tile.width <= TILE_WIDTH && tilePath(tile) === path ? tile : null;
}

/** Returns the address of the tile at a level and index, as a tree of this size has it. */
export function tileOf(level: number, index: number, size: number): TileAddress {
  const hashes = Math.floor(size / TILE_WIDTH ** level) - index * TILE_WIDTH;
  return { level, index, width: Math.min(TILE_WIDTH, hashes) };
}

/** Returns the addresses of all tiles of a tree, or of those that a smaller tree does not have. */
export function tilesOf(size: number, smaller = 0): readonly TileAddress[] {
  const tiles: TileAddress[] = [];
  for (let level = 0, hashes = size, before = smaller; hashes > 0; level += 1) {
    for (let index = Math.floor(before / TILE_WIDTH); index * TILE_WIDTH < hashes; index += 1)
      if (hashes > before) tiles.push(tileOf(level, index, size));
    hashes = Math.floor(hashes / TILE_WIDTH);
    before = Math.floor(before / TILE_WIDTH);
  }
  return tiles;
}

/**
 * Returns the hash of the leaves `start` to `end` (exclusive) of a tree, one of the subtrees that a proof names.
 * @throws what `readTile` throws
 */
export async function rangeHash(
  [start, end]: readonly [number, number],
  size: number,
  readTile: TileReader,
): Promise<Uint8Array> {
  const leaves = end - start;
  const left = leftSize(leaves);
  if (leaves > 1 && left * 2 !== leaves) {
    const middle = start + left;
    return hashNode(await rangeHash([start, middle], size, readTile), await rangeHash([middle, end], size, readTile));
  }
  const level = Math.floor(Math.log2(leaves) / 8);
  const first = start / TILE_WIDTH ** level;
  const count = leaves / TILE_WIDTH ** level;
  const tile = tileOf(level, Math.floor(first / TILE_WIDTH), size);
  const hashes = await readTile(tile);
  if (hashes.length !== tile.width * HASH_BYTES) throw new Error(`${tilePath(tile)} has ${hashes.length} bytes.`);
  const at = (first % TILE_WIDTH) * HASH_BYTES;
  return rootOf(hashes.subarray(at, at + count * HASH_BYTES));
}
