import { EMPTY_ROOT, hashNode, leftSize, sameHash } from './merkle.js';

/** Leaves of a subtree: from the first, to the second exclusive. */
export type LeafRange = readonly [start: number, end: number];

/**
 * Returns the subtrees whose hashes are the inclusion proof of a leaf, from the leaf up.
 * https://www.rfc-editor.org/rfc/rfc6962#section-2.1.1
 */
export function inclusionRanges(index: number, size: number, start = 0): readonly LeafRange[] {
  if (size <= 1) return [];
  const left = leftSize(size);
  const [middle, end] = [start + left, start + size];
  return index < left
    ? [...inclusionRanges(index, left, start), [middle, end]]
    : [...inclusionRanges(index - left, size - left, middle), [start, middle]];
}

/**
 * Returns the subtrees whose hashes prove that a tree begins with all leaves of a smaller one.
 * https://www.rfc-editor.org/rfc/rfc6962#section-2.1.2
 */
export function consistencyRanges(smaller: number, size: number, start = 0, isRoot = true): readonly LeafRange[] {
  if (smaller === 0) return [];
  if (smaller === size) return isRoot ? [] : [[start, start + size]];
  const left = leftSize(size);
  const [middle, end] = [start + left, start + size];
  return smaller <= left
    ? [...consistencyRanges(smaller, left, start, isRoot), [middle, end]]
    : [...consistencyRanges(smaller - left, size - left, middle, false), [start, middle]];
}

/** Returns the root that an inclusion proof leads to; null if a proof of this leaf has another length. */
export function rootOfInclusion(
  leafHash: Uint8Array,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
): Uint8Array | null {
  const sibling = proof.at(-1);
  if (index < 0 || index >= size || (size === 1) !== (sibling === undefined)) return null;
  if (sibling === undefined) return leafHash;
  const left = leftSize(size);
  const rest = proof.slice(0, -1);
  const child =
    index < left
      ? rootOfInclusion(leafHash, index, left, rest)
      : rootOfInclusion(leafHash, index - left, size - left, rest);
  if (child === null) return null;
  return index < left ? hashNode(child, sibling) : hashNode(sibling, child);
}

/** A tree, as a checkpoint states it. */
export interface TreeHead {
  /** Number of leaves. */
  readonly size: number;
  readonly root: Uint8Array;
}

/** Returns whether a proof shows that a tree begins with all leaves of a smaller one. */
export function isConsistent(smaller: TreeHead, larger: TreeHead, proof: readonly Uint8Array[]): boolean {
  if (smaller.size > larger.size) return false;
  if (smaller.size === 0) return proof.length === 0 && sameHash(smaller.root, EMPTY_ROOT);
  const rest = [...proof];
  const roots = rootsOfConsistency(smaller.size, larger.size, smaller.root, rest);
  if (roots === null || rest.length > 0) return false;
  return sameHash(roots[0], smaller.root) && sameHash(roots[1], larger.root);
}

/** Returns the roots of the smaller and the larger tree; null if hashes are missing in the proof. Empties `proof`. */
function rootsOfConsistency(
  smaller: number,
  size: number,
  known: Uint8Array | null,
  proof: Uint8Array[],
): readonly [Uint8Array, Uint8Array] | null {
  if (smaller === size) {
    const hash = known ?? proof.pop();
    return hash === undefined ? null : [hash, hash];
  }
  const sibling = proof.pop();
  if (sibling === undefined) return null;
  const left = leftSize(size);
  if (smaller <= left) {
    const roots = rootsOfConsistency(smaller, left, known, proof);
    return roots && [roots[0], hashNode(roots[1], sibling)];
  }
  const roots = rootsOfConsistency(smaller - left, size - left, null, proof);
  return roots && [hashNode(sibling, roots[0]), hashNode(sibling, roots[1])];
}
