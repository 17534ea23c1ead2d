import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Where a secret belongs. It is bound into the seal: a ciphertext moved to another place does not open there. */
export interface SecretLocation {
  readonly accountId: string;
  readonly resourceId: string;
  /** Path of the secret within its resource, such as `target.monitoring.api_key`. */
  readonly field: string;
}

/** A secret at rest. */
export interface SealedSecret {
  /** The key of the ring that opens it. */
  readonly keyId: string;
  /** 12 random bytes, never used twice. */
  readonly nonce: Buffer;
  /** The ciphertext with GCM's 16-byte tag at its end. */
  readonly ciphertext: Buffer;
}

/** Thrown when a key ring cannot be read or a secret cannot be opened. The message never holds key material or plaintext. */
export class KeyRingError extends Error {
  override readonly name = 'KeyRingError';
}

/** How to make a key; part of every message that asks for one. */
export const MAKE_A_KEY = `node -e "console.log('k1:' + require('node:crypto').randomBytes(32).toString('base64'))"`;

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
/** NIST SP 800-38D, 8.2.2: random nonces of 96 bits are safe for 2^32 seals with one key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const base64Pattern = /^[A-Za-z0-9+/]{43}=$/;

/**
 * The location as bytes. A JSON array of strings is unambiguous: no two locations share an encoding, whatever they contain.
 */
function associatedData(keyId: string, at: SecretLocation): Buffer {
  return Buffer.from(JSON.stringify(['waybill.secret.v1', keyId, at.accountId, at.resourceId, at.field]));
}

/**
 * The keys that seal secrets at rest (AES-256-GCM). One seals, the first unless told; all of them open, so that a key can be
 * replaced while the service runs (docs/secrets.md).
 */
export class KeyRing {
  private readonly keys: Map<string, Buffer>;
  private currentSealingKeyId: string;

  /** Where the keys were read from, for messages. */
  readonly source: string;

  private constructor(keys: Map<string, Buffer>, sealingKeyId: string, source: string) {
    this.keys = keys;
    this.currentSealingKeyId = sealingKeyId;
    this.source = source;
  }

  /**
   * Reads `id:base64 of 32 bytes`, comma-separated; white space around a key is ignored.
   * @param source what to call the place that `text` comes from.
   * @throws KeyRingError that says which key is wrong and how, without repeating it.
   */
  static parse(text: string, source = 'SECRETS_KEYS'): KeyRing {
    const invalid = (what: string): KeyRingError =>
      new KeyRingError(`${source} cannot be used: ${what}. Make a key with: ${MAKE_A_KEY}`);
    const keys = new Map<string, Buffer>();
    const parts = text.split(',').map((part) => part.trim());
    for (const [index, part] of parts.entries()) {
      const which = `key ${index + 1} of ${parts.length}`;
      const colon = part.indexOf(':');
      if (part === '') throw invalid(`${which} is empty`);
      if (colon === -1) throw invalid(`${which} has no id: a key is written as id:base64`);
      const id = part.slice(0, colon);
      if (!idPattern.test(id)) {
        throw invalid(
          `the id of ${which} may hold letters, digits, "." "_" and "-", at most 64, and begins with a letter or digit`,
        );
      }
      if (keys.has(id)) throw invalid(`two keys have the id ${id}`);
      const bytes = keyBytes(part.slice(colon + 1));
      if (typeof bytes === 'string') throw invalid(`${which} (${id}) ${bytes}`);
      keys.set(id, bytes);
    }
    const [first] = keys.keys();
    if (first === undefined) throw invalid('there is no key');
    return new KeyRing(keys, first, source);
  }

  /** Ids of every key, in the order they were given in: the one that is to seal is the first. */
  get keyIds(): readonly string[] {
    return [...this.keys.keys()];
  }

  /** Id of the key that seals now. */
  get sealingKeyId(): string {
    return this.currentSealingKeyId;
  }

  /**
   * Seals with another key from now on.
   * @throws KeyRingError when the ring does not hold it.
   */
  sealFromNowOnWith(keyId: string): void {
    this.key(keyId);
    this.currentSealingKeyId = keyId;
  }

  /**
   * Takes the order of another ring and the keys that it has beside ours; what seals stays as it is. No key is ever forgotten:
   * something may still be sealed with it.
   * @throws KeyRingError when a key has been changed under its id.
   */
  take(other: KeyRing): void {
    const changed = other.keyIds.find((id) => this.keys.has(id) && !this.key(id).equals(other.key(id)));
    if (changed !== undefined) throw new KeyRingError(`The key ${changed} in ${other.source} was changed.`);
    const ours = [...this.keys];
    this.keys.clear();
    for (const [id, key] of [...other.keys, ...ours]) this.keys.set(id, key);
  }

  /** Seals with the sealing key. Sealing the same text twice gives different ciphertexts. */
  seal(at: SecretLocation, plaintext: string): SealedSecret {
    return this.sealWith(this.sealingKeyId, at, plaintext);
  }

  /**
   * Seals with a key of the caller's choice.
   * @throws KeyRingError when the ring does not hold it.
   */
  sealWith(keyId: string, at: SecretLocation, plaintext: string): SealedSecret {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key(keyId), nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(associatedData(keyId, at));
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return { keyId, nonce, ciphertext };
  }

  /**
   * Opens a secret that was sealed for this very place.
   * @throws KeyRingError when the ring lacks its key, or when key, place, nonce or ciphertext is not the one it was sealed with.
   */
  open(at: SecretLocation, sealed: SealedSecret): string {
    const key = this.key(sealed.keyId);
    if (sealed.nonce.length !== NONCE_BYTES || sealed.ciphertext.length < TAG_BYTES)
      throw doesNotOpen(sealed.keyId);
    const end = sealed.ciphertext.length - TAG_BYTES;
    const decipher = createDecipheriv(CIPHER, key, sealed.nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(associatedData(sealed.keyId, at));
    decipher.setAuthTag(sealed.ciphertext.subarray(end));
    const plaintext = decipher.update(sealed.ciphertext.subarray(0, end));
    try {
      return Buffer.concat([plaintext, decipher.final()]).toString('utf8');
    } catch {
      throw doesNotOpen(sealed.keyId);
    }
  }

  private key(keyId: string): Buffer {
    const key = this.keys.get(keyId);
    if (!key)
      throw new KeyRingError(`The key ring does not hold the key ${keyId}. Add it to ${this.source}.`);
    return key;
  }
}

/** The key, or what is wrong with it. */
function keyBytes(text: string): Buffer | string {
  if (!base64Pattern.test(text)) {
    const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(text);
    const length = isBase64 ? `: it decodes to ${Buffer.from(text, 'base64').length} bytes` : '';
    return `is not the base64 of ${KEY_BYTES} bytes${length}`;
  }
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : 'is not proper base64';
}

function doesNotOpen(keyId: string): KeyRingError {
  return new KeyRingError(
    `A secret does not open with the key ${keyId}: the key, or what was stored, is not what sealed it.`,
  );
}
