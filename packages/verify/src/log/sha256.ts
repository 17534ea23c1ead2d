import { sha256 as portable } from '@noble/hashes/sha2.js';

/** Bytes of a hash. */
export const HASH_BYTES = 32;

/** What a process of Node has. Browsers have no such object. */
declare const process:
  | { getBuiltinModule?(name: 'node:crypto'): { hash(algorithm: string, data: Uint8Array, encoding: string): string } }
  | undefined;
declare const Buffer: { from(text: string, encoding: string): Uint8Array<ArrayBuffer> };

const native = typeof process === 'undefined' ? undefined : process.getBuiltinModule?.('node:crypto');

/** Returns the SHA-256 of bytes. Node's own is several times faster than that of the browser. */
export const sha256: (data: Uint8Array) => Uint8Array =
  native === undefined
    ? portable
    : // A third of the time of the encoding `buffer` in Node 20.
      (data) => Buffer.from(native.hash('sha256', data, 'binary'), 'binary');
