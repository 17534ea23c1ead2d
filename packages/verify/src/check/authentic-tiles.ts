import { rootOf, sameHash } from '../log/merkle.js';
import type { TreeHead } from '../log/proofs.js';
import { HASH_BYTES } from '../log/sha256.js';
import { TiledTree } from '../log/tiled-tree.js';
import { rangeHash, TILE_WIDTH, tileOf, tilePath, type TileAddress, type TileReader } from '../log/tiles.js';

/** Tiles that are not those of the tree of a checkpoint. */
export class ForeignTilesError extends Error {
  override readonly name = 'ForeignTilesError';
}

/** The tiles of a log, of which each was checked to be of the tree that a checkpoint states. */
export class AuthenticTiles {
  private readonly kept = new Map<string, Uint8Array>();
  private lastOfLeaves = '';

  private constructor(
    private readonly size: number,
    private readonly edge: readonly Uint8Array[],
    private readonly source: TileReader,
  ) {}

  /**
   * Reads the tiles at the right edge of the tree, which lead to its root.
   * @throws ForeignTilesError, and what `source` throws
   */
  static async open({ size, root }: TreeHead, source: TileReader): Promise<AuthenticTiles> {
    const edge: Uint8Array[] = [];
    for (let level = 0; TILE_WIDTH ** level <= size; level += 1) {
      const tile = tileOf(level, Math.floor(size / TILE_WIDTH ** (level + 1)), size);
      const hashes = tile.width > 0 ? await source(tile) : new Uint8Array();
      if (hashes.length !== tile.width * HASH_BYTES)
        throw new ForeignTilesError(`${tilePath(tile)} has ${hashes.length} bytes, and not those of the checkpoint.`);
      edge.push(hashes);
    }
    if (!sameHash(new TiledTree(() => {}, { size, tiles: edge }).root(), root))
      throw new ForeignTilesError('The tiles at the end of the log do not lead to the root of the checkpoint.');
    return new AuthenticTiles(size, edge, source);
  }

  /** Returns the hashes of the tile at a level and index. @throws ForeignTilesError, and what the source throws */
  async tile(level: number, index: number): Promise<Uint8Array> {
    const address = tileOf(level, index, this.size);
    if (address.width < TILE_WIDTH) return this.edge[level] ?? new Uint8Array();
    const path = tilePath(address);
    const known = this.kept.get(path);
    if (known !== undefined) return known;
    const above = await this.tile(level + 1, Math.floor(index / TILE_WIDTH));
    const at = (index % TILE_WIDTH) * HASH_BYTES;
    const hashes = await this.source(address);
    if (hashes.length !== TILE_WIDTH * HASH_BYTES || !sameHash(rootOf(hashes), above.subarray(at, at + HASH_BYTES)))
      throw new ForeignTilesError(`${path} is not of the tree of the checkpoint.`);
    // A tile above those of leaves is needed 256 times: 8 KiB for each 65,536 leaves. Of those of leaves, the last one
    // is needed for each checkpoint within it.
    if (level === 0) {
      this.kept.delete(this.lastOfLeaves);
      this.lastOfLeaves = path;
    }
    this.kept.set(path, hashes);
    return hashes;
  }

  /** Returns the root that the tree had at a smaller size. @throws as `tile` */
  rootAt(size: number): Promise<Uint8Array> {
    return rangeHash([0, size], this.size, ({ level, index }: TileAddress) => this.tile(level, index));
  }
}
