import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashLeaf, hashNode, EMPTY_ROOT, sameHash } from './merkle.js';
import { consistencyRanges, inclusionRanges, isConsistent, rootOfInclusion, type LeafRange } from './proofs.js';
import { TiledTree, type Tile } from './tiled-tree.js';
import { parseTilePath, rangeHash, tileOf, tilePath, tilesOf, type TileReader } from './tiles.js';

/** The definition of RFC 6962, section 2.1, as it is written. */
function naiveRoot(leaves: readonly Uint8Array[]): Uint8Array {
  const [first] = leaves;
  if (first === undefined) return EMPTY_ROOT;
  if (leaves.length === 1) return first;
  let left = 1;
  while (left * 2 < leaves.length) left *= 2;
  return hashNode(naiveRoot(leaves.slice(0, left)), naiveRoot(leaves.slice(left)));
}

const leavesTo = (size: number, from = 0) =>
  Array.from({ length: size - from }, (_, index) => hashLeaf(Buffer.from(`leaf ${from + index}`)));
const most = leavesTo(70_000);
const naive = ([start, end]: LeafRange) => naiveRoot(most.slice(start, end));
const hex = (hash: Uint8Array) => Buffer.from(hash).toString('hex');

/** Appends leaves, and returns the tree and all of its tiles. */
function grown(leaves: readonly Uint8Array[]): { tree: TiledTree; tiles: Map<string, Uint8Array> } {
  const tiles = new Map<string, Uint8Array>();
  const keep = (tile: Tile) => tiles.set(tilePath(tile), tile.hashes);
  const tree = new TiledTree(keep);
  for (const leaf of leaves) tree.append(leaf);
  tree.partialTiles().forEach(keep);
  return { tree, tiles };
}

const readerOf =
  (tiles: ReadonlyMap<string, Uint8Array>): TileReader =>
  async (tile) => {
    const hashes = tiles.get(tilePath(tile));
    if (hashes === undefined) throw new Error(`There is no ${tilePath(tile)}.`);
    return hashes;
  };

/** Two sizes of which the first is not larger. */
const twoSizes = fc
  .tuple(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: 600 }))
  .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

describe('the tree', () => {
  it('has the roots of the reference implementation', () => {
    const data = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
    const roots = data.map((_, index) =>
      hex(grown(data.slice(0, index + 1).map((text) => hashLeaf(Buffer.from(text, 'hex')))).tree.root()),
    );
    expect(hex(new TiledTree().root())).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(roots).toEqual([
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ]);
  });

  it.each([255, 256, 257, 511, 512, 65_535, 65_536, 65_537, 66_049, 70_000])(
    'has the root of the definition at %i leaves',
    (size) => {
      expect(hex(grown(most.slice(0, size)).tree.root())).toBe(hex(naive([0, size])));
    },
  );

  it('has the root of the definition, also where it was saved between', () => {
    fc.assert(
      fc.property(twoSizes, ([saved, size]) => {
        const { tree } = grown(most.slice(0, saved));
        const tiles = [0, 1].map(
          (level) => tree.partialTiles().find((tile) => tile.level === level)?.hashes ?? new Uint8Array(),
        );
        const resumed = new TiledTree(() => {}, { size: saved, tiles });
        for (const leaf of most.slice(saved, size)) resumed.append(leaf);
        expect(hex(resumed.root())).toBe(hex(naive([0, size])));
      }),
    );
  });

  it('refuses tiles of another size', () => {
    expect(() => new TiledTree(() => {}, { size: 3, tiles: [new Uint8Array(64)] })).toThrow('level 0 has 64 bytes');
  });
});

describe('tiles', () => {
  it.each([
    [{ level: 0, index: 0, width: 256 }, 'tile/0/000'],
    [{ level: 1, index: 17, width: 3 }, 'tile/1/017.p/3'],
    [{ level: 0, index: 1_234_067, width: 256 }, 'tile/0/x001/x234/067'],
  ])('have the paths of the specification: %o', (tile, path) => {
    expect(tilePath(tile)).toBe(path);
    expect(parseTilePath(path)).toEqual(tile);
  });

  it.each([
    'tile/00/000',
    'tile/0/0',
    'tile/0/x000/001',
    'tile/0/000.p/256',
    'tile/0/000.p/0',
    'tile/64/000',
    'tile/0/001/002',
    '/tile/0/000',
  ])('have no other path: %s', (path) => {
    expect(parseTilePath(path)).toBeNull();
  });

  it('are those of the specification for 70,000 leaves', () => {
    const tiles = tilesOf(70_000);
    expect(tiles.filter(({ level, width }) => level === 0 && width === 256)).toHaveLength(273);
    expect(tiles.filter(({ width }) => width < 256)).toEqual([
      { level: 0, index: 273, width: 112 },
      { level: 1, index: 1, width: 17 },
      { level: 2, index: 0, width: 1 },
    ]);
    expect(new Set(tiles.map(tilePath))).toEqual(new Set(grown(most).tiles.keys()));
  });

  it('that a smaller tree does not have are those that differ', () => {
    fc.assert(
      fc.property(twoSizes, ([smaller, size]) => {
        const before = new Set(tilesOf(smaller).map(tilePath));
        expect(tilesOf(size, smaller)).toEqual(tilesOf(size).filter((tile) => !before.has(tilePath(tile))));
      }),
    );
  });

  it('hold what a proof needs', async () => {
    const { tiles } = grown(most);
    for (const range of [
      ...inclusionRanges(69_999, 70_000),
      ...inclusionRanges(300, 70_000),
      ...consistencyRanges(65_537, 70_000),
    ])
      expect(hex(await rangeHash(range, 70_000, readerOf(tiles)))).toBe(hex(naive(range)));
  });

  it('of another width are refused', async () => {
    const reader: TileReader = async () => new Uint8Array(32);
    await expect(rangeHash([0, 2], 5, reader)).rejects.toThrow('tile/0/000.p/5 has 32 bytes');
    expect(tileOf(0, 0, 5)).toEqual({ level: 0, index: 0, width: 5 });
  });
});

describe('an inclusion proof', () => {
  it('leads from each leaf to the root, and from no other leaf, index, size or hash', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 600 }), fc.nat(599), fc.nat(), (size, at, other) => {
        const index = at % size;
        const leaf = most[index] ?? EMPTY_ROOT;
        const proof = inclusionRanges(index, size).map(naive);
        const root = naive([0, size]);
        const leadsTo = (...args: Parameters<typeof rootOfInclusion>) => {
          const found = rootOfInclusion(...args);
          return found !== null && sameHash(found, root);
        };
        expect(leadsTo(leaf, index, size, proof)).toBe(true);
        expect(leadsTo(hashLeaf(Buffer.from('another')), index, size, proof)).toBe(false);
        if (other % size !== index) expect(leadsTo(leaf, other % size, size, proof)).toBe(false);
        expect(leadsTo(leaf, index, size, [...proof, root])).toBe(false);
        expect(leadsTo(leaf, index, size, proof.slice(1))).toBe(size === 1);
        expect(leadsTo(leaf, index, index, proof)).toBe(false);
        if (proof.length === 0) return;
        expect(leadsTo(leaf, index, size, proof.with(other % proof.length, EMPTY_ROOT))).toBe(false);
      }),
    );
  });
});

describe('a consistency proof', () => {
  it('shows that a tree begins with a smaller one, and with no other', () => {
    fc.assert(
      fc.property(twoSizes, fc.nat(), ([smaller, size], other) => {
        const old = { size: smaller, root: naive([0, smaller]) };
        const head = { size, root: naive([0, size]) };
        const proof = consistencyRanges(smaller, size).map(naive);
        expect(isConsistent(old, head, proof)).toBe(true);
        expect(isConsistent({ ...old, root: hashLeaf(Buffer.from('another')) }, head, proof)).toBe(false);
        expect(isConsistent(old, head, [...proof, head.root])).toBe(false);
        if (proof.length === 0) return;
        expect(isConsistent(old, { ...head, root: EMPTY_ROOT }, proof)).toBe(false);
        expect(isConsistent(old, head, proof.slice(1))).toBe(false);
        expect(isConsistent(old, head, proof.with(other % proof.length, EMPTY_ROOT))).toBe(false);
        expect(isConsistent(head, old, proof)).toBe(false);
      }),
    );
  });

  it('from an empty tree is empty', () => {
    const head = { size: 3, root: naive([0, 3]) };
    expect(isConsistent({ size: 0, root: EMPTY_ROOT }, head, consistencyRanges(0, 3).map(naive))).toBe(true);
    expect(isConsistent({ size: 0, root: head.root }, head, [])).toBe(false);
  });
});
