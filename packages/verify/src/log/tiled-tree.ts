import { EMPTY_ROOT, hashNode, rootOf } from './merkle.js';
import { HASH_BYTES } from './sha256.js';
import { TILE_WIDTH, type TileAddress } from './tiles.js';

/** A tile and its hashes, one after the other. */
export interface Tile extends TileAddress {
  readonly hashes: Uint8Array;
}

/**
 * A tree of RFC 6962 that grows leaf by leaf. It keeps the tiles at its right edge: at most 8 KiB for each level, and a
 * level for each 256 times as many leaves.
 */
export class TiledTree {
  private readonly edge: Uint8Array[] = [];
  private count = 0;

  /**
   * @param onTile called with each tile that is full
   * @param edge the partial tiles at the right edge, level by level, of a tree that grows further
   */
  constructor(
    private readonly onTile: (tile: Tile) => void = () => {},
    edge: { readonly size: number; readonly tiles: readonly Uint8Array[] } = { size: 0, tiles: [] },
  ) {
    this.count = edge.size;
    for (let level = 0; TILE_WIDTH ** level <= edge.size; level += 1) {
      const { length } = edge.tiles[level] ?? [];
      if (length !== this.widthAt(level) * HASH_BYTES)
        throw new Error(`The tile at the edge of level ${level} has ${length} bytes.`);
      this.edge.push(new Uint8Array(TILE_WIDTH * HASH_BYTES));
      this.edge[level]?.set(edge.tiles[level] ?? []);
    }
  }

  /** Number of leaves. */
  get size(): number {
    return this.count;
  }

  /** Adds a leaf. @param hash `hashLeaf` of it */
  append(hash: Uint8Array): void {
    const isFull = this.put(0, hash);
    this.count += 1;
    if (isFull) this.close(0);
  }

  /** Returns the tiles at the right edge, with fewer hashes than a full tile. */
  partialTiles(): readonly Tile[] {
    const tiles: Tile[] = [];
    for (const [level, hashes] of this.edge.entries()) {
      const width = this.widthAt(level);
      if (width === 0) continue;
      const index = Math.floor(this.count / TILE_WIDTH ** (level + 1));
      tiles.push({ level, index, width, hashes: hashes.subarray(0, width * HASH_BYTES) });
    }
    return tiles;
  }

  /** Returns the root. */
  root(): Uint8Array {
    let root: Uint8Array | null = null;
    // From the right: the smallest complete subtree first.
    for (const [level, hashes] of this.edge.entries()) {
      let end = this.widthAt(level);
      for (let leaves = 1; end > 0; leaves *= 2) {
        if (end % (leaves * 2) === 0) continue;
        const subtree = rootOf(hashes.subarray((end - leaves) * HASH_BYTES, end * HASH_BYTES));
        root = root === null ? subtree : hashNode(subtree, root);
        end -= leaves;
      }
    }
    return Uint8Array.from(root ?? EMPTY_ROOT);
  }

  /** Number of hashes in the tile at the edge of a level. */
  private widthAt(level: number): number {
    return Math.floor(this.count / TILE_WIDTH ** level) % TILE_WIDTH;
  }

  /** Adds a hash to a level, and returns whether its tile is full then. */
  private put(level: number, hash: Uint8Array): boolean {
    const tile = (this.edge[level] ??= new Uint8Array(TILE_WIDTH * HASH_BYTES));
    const width = this.widthAt(level);
    tile.set(hash, width * HASH_BYTES);
    return width === TILE_WIDTH - 1;
  }

  /** Hands on the full tile of a level, and adds its hash to the level above. Called when its last leaf is counted. */
  private close(level: number): void {
    const hashes = this.edge[level];
    if (hashes === undefined) return;
    const index = this.count / TILE_WIDTH ** (level + 1) - 1;
    this.onTile({ level, index, width: TILE_WIDTH, hashes: Uint8Array.from(hashes) });
    const above = (this.edge[level + 1] ??= new Uint8Array(TILE_WIDTH * HASH_BYTES));
    above.set(rootOf(hashes), (index % TILE_WIDTH) * HASH_BYTES);
    if (index % TILE_WIDTH === TILE_WIDTH - 1) this.close(level + 1);
  }
}
