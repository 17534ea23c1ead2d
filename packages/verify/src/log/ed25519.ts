import { ed25519 } from '@noble/curves/ed25519.js';
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js';

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

const native = typeof process === 'undefined' ? undefined : process.getBuiltinModule?.('node:crypto');

/** Returns whether a signature of bytes is of a public key. Node's own check is much faster than the portable one. */
export function verifies(publicKey: Uint8Array, data: Uint8Array, signature: Uint8Array): boolean {
  if (native === undefined) return ed25519.verify(signature, data, publicKey, { zip215: false });
  const key = { key: Buffer.from(concatBytes(PREFIX, publicKey)), format: 'der', type: 'spki' } as const;
  return native.verify(null, data, key, signature);
}
