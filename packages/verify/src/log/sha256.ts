import { hash } from 'node:crypto';

/** Bytes of a hash. */
export const HASH_BYTES = 32;

/** Returns the SHA-256 of bytes, or of a text as UTF-8. */
export function sha256(data: Uint8Array | string): Buffer {
  // A third of the time of the encoding `buffer` in Node 20.
  return Buffer.from(hash('sha256', data, 'binary'), 'binary');
}
