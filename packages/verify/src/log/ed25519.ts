import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToNumberLE } from '@noble/curves/utils.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { sameHash } from './merkle.js';

/** SubjectPublicKeyInfo in DER, as Node reads a public key. */
interface DerKey {
  readonly key: Uint8Array;
  readonly format: 'der';
  readonly type: 'spki';
}

/** What a process of Node has. Browsers have no such object. */
declare const process:
  | {
      getBuiltinModule?(name: 'node:crypto'): {
        verify(algorithm: null, data: Uint8Array, key: DerKey, signature: Uint8Array): boolean;
      };
    }
  | undefined;
declare const Buffer: { from(bytes: Uint8Array): Uint8Array };

/** DER of an Ed25519 key, up to its 32 bytes. */
const PREFIX = hexToBytes('302a300506032b6570032100');

const SIGNATURE_BYTES = 64;

const { Point } = ed25519;
const PRIME = Point.Fp.ORDER;

/** An y of the points of order 8: the others have its negative. */
const EIGHTH_Y = bytesToNumberLE(hexToBytes('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'));

/** The y of all points of small order. Anyone can sign for such a key. */
const smallOrderYs = [0n, 1n, PRIME - 1n, EIGHTH_Y, PRIME - EIGHTH_Y];

const native = typeof process === 'undefined' ? undefined : process.getBuiltinModule?.('node:crypto');

/**
 * Returns whether a signature of bytes is of a public key, as docs/proof.md says. Node's own check is much faster than
 * the portable one.
 */
export function verifies(publicKey: Uint8Array, data: Uint8Array, signature: Uint8Array): boolean {
  if (native === undefined) return verifiesPortably(publicKey, data, signature);
  if (!isAllowed(publicKey, signature)) return false;
  const key = { key: Buffer.from(concatBytes(PREFIX, publicKey)), format: 'der', type: 'spki' } as const;
  return native.verify(null, data, key, signature);
}

/** `verifies` without Node. The check of @noble/curves multiplies by the cofactor, and so accepts more than Node's. */
export function verifiesPortably(publicKey: Uint8Array, data: Uint8Array, signature: Uint8Array): boolean {
  if (!isAllowed(publicKey, signature)) return false;
  const r = signature.subarray(0, SIGNATURE_BYTES / 2);
  const hash = bytesToNumberLE(sha512(concatBytes(r, publicKey, data)));
  try {
    const product = Point.fromBytes(publicKey).multiplyUnsafe(Point.Fn.create(hash));
    // Throws where S is not less than the order.
    const sum = Point.BASE.multiplyUnsafe(bytesToNumberLE(signature.subarray(SIGNATURE_BYTES / 2)));
    return sameHash(sum.subtract(product).toBytes(), r);
  } catch {
    return false;
  }
}

/** Returns whether the key is written in the one way of RFC 8032, and is not of small order. Node checks neither. */
function isAllowed(publicKey: Uint8Array, signature: Uint8Array): boolean {
  const y = bytesToNumberLE(publicKey) % 2n ** 255n;
  return signature.length === SIGNATURE_BYTES && y < PRIME && !smallOrderYs.includes(y);
}
