import { createHash } from 'node:crypto';

/** State of a tree. */
export interface Head {
  readonly size: number;
  readonly root: Buffer;
}

/**
 * Returns whether a proof shows that a tree begins with all leaves of a smaller one: the algorithm of
 * https://www.rfc-editor.org/rfc/rfc9162#section-2.1.4.2.
 */
export function isConsistent(first: Head, second: Head, proof: readonly Buffer[]): boolean {
  if (first.size === 0 || first.size === second.size)
    return proof.length === 0 && (first.size === 0 || first.root.equals(second.root));
  if (first.size > second.size) return false;
  let fn = BigInt(first.size) - 1n;
  let sn = BigInt(second.size) - 1n;
  const isPowerOfTwo = (BigInt(first.size) & fn) === 0n;
  const [start, ...rest] = isPowerOfTwo ? [first.root, ...proof] : proof;
  if (start === undefined || proof.length === 0) return false;
  while (fn & 1n) {
    fn >>= 1n;
    sn >>= 1n;
  }
  let fr = start;
  let sr = start;
  for (const node of rest) {
    if (sn === 0n) return false;
    if (fn & 1n || fn === sn) {
      fr = hashNode(node, fr);
      sr = hashNode(node, sr);
      while (!(fn & 1n) && fn !== 0n) {
        fn >>= 1n;
        sn >>= 1n;
      }
    } else sr = hashNode(sr, node);
    fn >>= 1n;
    sn >>= 1n;
  }
  return sn === 0n && fr.equals(first.root) && sr.equals(second.root);
}

function hashNode(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest();
}
