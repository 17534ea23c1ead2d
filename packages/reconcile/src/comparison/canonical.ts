import { sha256 } from '@noble/hashes/sha2.js';
import { canonicalJson } from '@waybill/verify/readers';

const encoder = new TextEncoder();

/**
 * Returns the SHA-256 of the canonical JSON of a value: 32 characters of one byte each, which need less memory than
 * hexadecimal digits. `crypto.subtle` does not exist in pages of plain HTTP.
 * @throws Error for a value that is nested too deeply
 */
export function digestOf(value: unknown): string {
  return String.fromCharCode(...sha256(encoder.encode(canonicalJson(value))));
}
