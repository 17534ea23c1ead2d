import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { fromBase64, toBase64 } from './base64.js';
import { verifies } from './ed25519.js';
import { sha256 } from './sha256.js';

/**
 * Types of keys: of Ed25519 signatures (https://c2sp.org/signed-note#signature-types), and of Ed25519 cosignatures
 * (https://c2sp.org/tlog-cosignature).
 */
const types = { signature: 1, cosignature: 4 } as const;
/** What a key signs: notes of a log, or checkpoints of logs of others. */
export type KeyUse = keyof typeof types;

const KEY_BYTES = 32;

/** A public key that signs notes under a name. */
export interface NoteKey {
  readonly name: string;
  readonly use: KeyUse;
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
export function noteKey(name: string, publicKey: Uint8Array, use: KeyUse = 'signature'): NoteKey {
  if (!isKeyName(name)) throw new Error(`The name of a key is empty, or has a space or a plus sign: ${name}`);
  if (publicKey.length !== KEY_BYTES) throw new Error(`A public key of Ed25519 has 32 bytes, not ${publicKey.length}.`);
  const hashed = concatBytes(utf8ToBytes(`${name}\n`), Uint8Array.of(types[use]), publicKey);
  return { name, use, id: bytesToHex(sha256(hashed).subarray(0, 4)), publicKey };
}

/** Returns whether a name can be that of a key. */
export function isKeyName(name: string): boolean {
  return name !== '' && !/[\s+\p{Cc}\p{Z}]/u.test(name);
}

/** Returns the verifier key: `<name>+<id>+<base64 of type and public key>`. */
export function vkeyOf({ name, use, id, publicKey }: NoteKey): string {
  return `${name}+${id}+${toBase64(concatBytes(Uint8Array.of(types[use]), publicKey))}`;
}

/**
 * Parses the verifier key of an installation, or of a log.
 * @throws Error with the reason, also for a key of another type than Ed25519
 */
export function parseVkey(text: string): NoteKey {
  return keyOf(text, 'signature');
}

/**
 * Parses the verifier key of a cosigner.
 * @throws Error with the reason, also for a key of another type than cosignatures of Ed25519
 */
export function parseCosigner(text: string): NoteKey {
  return keyOf(text, 'cosignature');
}

function keyOf(text: string, use: KeyUse): NoteKey {
  const match = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text.trim());
  const [, name = '', id = '', encoded = ''] = match ?? [];
  const bytes = fromBase64(encoded);
  if (match === null || bytes === null) throw new Error(`This is no verifier key <name>+<id>+<key>: ${text}`);
  if (bytes[0] !== types[use])
    throw new Error(`The verifier key of ${name} is not of Ed25519 ${use}s (type ${types[use]}).`);
  const key = noteKey(name, bytes.subarray(1), use);
  if (key.id !== id) throw new Error(`The verifier key of ${name} has the id ${id}, and its bytes have ${key.id}.`);
  return key;
}

/** Returns whether a signature of a text is of a key. */
export function isSignedBy({ publicKey }: NoteKey, text: string, signature: Uint8Array): boolean {
  return verifies(publicKey, utf8ToBytes(text), signature);
}
