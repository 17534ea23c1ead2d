import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { fromBase64 } from './base64.js';
import { sha256 } from './sha256.js';

/** Type of Ed25519 signatures. https://c2sp.org/signed-note#signature-types */
const ED25519 = 1;

const KEY_BYTES = 32;

/** A public key that signs notes under a name. */
export interface NoteKey {
  readonly name: string;
  /** First 4 bytes of SHA-256(name, line feed, type, public key), as 8 hexadecimal digits. */
  readonly id: string;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
}

/**
 * Returns the key of a name.
 * @param publicKey Ed25519, 32 bytes
 * @throws Error for a name with a plus sign or white space, and for a key of another length
 */
export function noteKey(name: string, publicKey: Uint8Array): NoteKey {
  if (!isKeyName(name)) throw new Error(`The name of a key is empty, or has a space or a plus sign: ${name}`);
  if (publicKey.length !== KEY_BYTES) throw new Error(`A public key of Ed25519 has 32 bytes, not ${publicKey.length}.`);
  const hashed = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519), publicKey]);
  return { name, id: sha256(hashed).toString('hex', 0, 4), publicKey };
}

/** Returns whether a name can be that of a key. */
export function isKeyName(name: string): boolean {
  return name !== '' && !/[\s+\p{Cc}\p{Z}]/u.test(name);
}

/** Returns the verifier key: `<name>+<id>+<base64 of type and public key>`. */
export function vkeyOf({ name, id, publicKey }: NoteKey): string {
  return `${name}+${id}+${Buffer.concat([Buffer.of(ED25519), publicKey]).toString('base64')}`;
}

/**
 * Parses a verifier key.
 * @throws Error with the reason, also for a key of another type than Ed25519
 */
export function parseVkey(text: string): NoteKey {
  const match = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text.trim());
  const [, name = '', id = '', encoded = ''] = match ?? [];
  const bytes = fromBase64(encoded);
  if (match === null || bytes === null) throw new Error(`This is no verifier key <name>+<id>+<key>: ${text}`);
  if (bytes[0] !== ED25519) throw new Error(`The verifier key of ${name} is not of Ed25519 (type 1).`);
  const key = noteKey(name, bytes.subarray(1));
  if (key.id !== id) throw new Error(`The verifier key of ${name} has the id ${id}, and its bytes have ${key.id}.`);
  return key;
}

const parsed = new WeakMap<Uint8Array, KeyObject>();

/** Returns whether a signature of a text is of a key. */
export function isSignedBy({ publicKey }: NoteKey, text: string, signature: Uint8Array): boolean {
  const x = Buffer.from(publicKey).toString('base64url');
  const key = parsed.get(publicKey) ?? createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  parsed.set(publicKey, key);
  return verify(null, Buffer.from(text), key, signature);
}
