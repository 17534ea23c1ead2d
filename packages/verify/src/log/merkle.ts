import { HASH_BYTES, sha256 } from './sha256.js';

/** Root of a tree without leaves. https://www.rfc-editor.org/rfc/rfc6962#section-2.1 */
export const EMPTY_ROOT: Uint8Array = sha256(new Uint8Array());

const node = new Uint8Array(1 + 2 * HASH_BYTES).fill(1);

/** Returns the hash of a leaf: SHA-256 of 0x00 and its data. */
export function hashLeaf(data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 1);
  bytes.set(data, 1);
  return sha256(bytes);
}

/** Returns the hash of an inner node: SHA-256 of 0x01 and the hashes of its children. */
export function hashNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  node.set(left, 1);
  node.set(right, 1 + HASH_BYTES);
  return sha256(node);
}

/** Returns the largest power of two that is smaller than a number of leaves: the size of the left subtree. */
export function leftSize(leaves: number): number {
  let power = 1;
  while (power * 2 < leaves) power *= 2;
  return power;
}

/** Returns the root of a tree over hashes of equal subtrees, one after the other in `hashes`. */
export function rootOf(hashes: Uint8Array): Uint8Array {
  const count = hashes.length / HASH_BYTES;
  if (count === 0) return EMPTY_ROOT;
  if (count === 1) return hashes;
  const split = leftSize(count) * HASH_BYTES;
  return hashNode(rootOf(hashes.subarray(0, split)), rootOf(hashes.subarray(split)));
}

/** Returns whether two hashes are the same. */
export function sameHash(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
