import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** What a ciphertext is bound to: moved to another location, it cannot be decrypted. */
export interface SecretLocation {
  readonly accountId: string;
  readonly resourceId: string;
  /** The path of the secret within its resource, such as `target.monitoring.api_key`. */
  readonly field: string;
}

/** An encrypted secret. */
export interface SealedSecret {
  /** The id of the key that encrypted it. */
  readonly keyId: string;
  /** 12 random bytes, never used twice. */
  readonly nonce: Buffer;
  /** The ciphertext with GCM's 16-byte tag at its end. */
  readonly ciphertext: Buffer;
}

/** An invalid key ring, or a secret that cannot be decrypted. The message never holds key material or plaintext. */
export class KeyRingError extends Error {
  override readonly name = 'KeyRingError';
}

/** The command that creates a key, for messages. */
export const CREATE_KEY_COMMAND = `node -e "console.log('k1:' + require('node:crypto').randomBytes(32).toString('base64'))"`;

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
/** NIST SP 800-38D, 8.2.2: random nonces of 96 bits are safe for 2^32 seals with one key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const base64Pattern = /^[A-Za-z0-9+/]{43}=$/;

/** Returns the location as bytes. A JSON array of strings is unambiguous: no two locations share an encoding. */
function associatedData(keyId: string, at: SecretLocation): Buffer {
  return Buffer.from(JSON.stringify(['waybill.secret.v1', keyId, at.accountId, at.resourceId, at.field]));
}

/**
 * The keys that encrypt secrets at rest (AES-256-GCM). One key seals, the first unless `switchTo` is called. All keys
 * open, so that a key can be replaced while the service runs (docs/secrets.md).
 */
export class KeyRing {
  private readonly keys: Map<string, Buffer>;
  private currentSealingKeyId: string;

  /** The setting or file that the keys come from, for messages. */
  readonly source: string;

  private constructor(keys: Map<string, Buffer>, sealingKeyId: string, source: string) {
    this.keys = keys;
    // An inspected ring, such as the cause of an error, must not show its keys.
    Object.defineProperty(this, 'keys', { enumerable: false });
    this.currentSealingKeyId = sealingKeyId;
    this.source = source;
  }

  /**
   * Reads `id:base64 of 32 bytes`, comma-separated; white space around a key is ignored.
   * @param source the setting or file that `text` comes from
   * @throws KeyRingError that says which key is wrong and how, without repeating the key
   */
  static parse(text: string, source = 'SECRETS_KEYS'): KeyRing {
    const invalid = (what: string): KeyRingError =>
      new KeyRingError(`${source} is invalid: ${what}. Create a key with: ${CREATE_KEY_COMMAND}`);
    const keys = new Map<string, Buffer>();
    const parts = text.split(',').map((part) => part.trim());
    for (const [index, part] of parts.entries()) {
      const which = `key ${index + 1} of ${parts.length}`;
      const colon = part.indexOf(':');
      if (part === '') throw invalid(`${which} is empty`);
      if (colon === -1) throw invalid(`${which} has no id: write a key as id:base64`);
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

  /** The ids of all keys, in order. The first is the one that seals once every process holds it. */
  get keyIds(): readonly string[] {
    return [...this.keys.keys()];
  }

  /** The id of the key that seals. */
  get sealingKeyId(): string {
    return this.currentSealingKeyId;
  }

  /**
   * Makes another key the one that seals.
   * @throws KeyRingError when the ring lacks the key
   */
  switchTo(keyId: string): void {
    this.key(keyId);
    this.currentSealingKeyId = keyId;
  }

  /**
   * Adopts the order and the new keys of another ring. Keeps the key that seals. Never drops a key, because it may
   * still encrypt data.
   * @throws KeyRingError when a key differs under the same id
   */
  merge(other: KeyRing): void {
    const changed = other.keyIds.find((id) => this.keys.has(id) && !this.key(id).equals(other.key(id)));
    if (changed !== undefined)
      throw new KeyRingError(
        `The key ${changed} in ${other.source} was changed under its id. Put the original key back.`,
      );
    const ours = [...this.keys];
    this.keys.clear();
    for (const [id, key] of [...other.keys, ...ours]) this.keys.set(id, key);
  }

  /** Encrypts with the key that seals. The same text gives a different ciphertext each time. */
  seal(at: SecretLocation, plaintext: string): SealedSecret {
    return this.sealWith(this.sealingKeyId, at, plaintext);
  }

  /**
   * Encrypts with a given key.
   * @throws KeyRingError when the ring lacks the key
   */
  sealWith(keyId: string, at: SecretLocation, plaintext: string): SealedSecret {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key(keyId), nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(associatedData(keyId, at));
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return { keyId, nonce, ciphertext };
  }

  /**
   * Decrypts a secret.
   * @throws KeyRingError when the ring lacks the key, or when key, location, nonce or ciphertext differs
   */
  open(at: SecretLocation, sealed: SealedSecret): string {
    const key = this.key(sealed.keyId);
    if (sealed.nonce.length !== NONCE_BYTES || sealed.ciphertext.length < TAG_BYTES) throw doesNotOpen(sealed.keyId);
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

  /** Decrypts a secret, as `open` does. Returns null where that throws a KeyRingError. */
  openIfPossible(at: SecretLocation, sealed: SealedSecret): string | null {
    try {
      return this.open(at, sealed);
    } catch (error) {
      if (error instanceof KeyRingError) return null;
      throw error;
    }
  }

  private key(keyId: string): Buffer {
    const key = this.keys.get(keyId);
    if (!key) throw new KeyRingError(`The key ring lacks the key ${keyId}. Add it to ${this.source}.`);
    return key;
  }
}

/** Returns the key, or a description of the error. */
function keyBytes(text: string): Buffer | string {
  if (!base64Pattern.test(text)) {
    const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(text);
    const length = isBase64 ? `: it decodes to ${Buffer.from(text, 'base64').length} bytes` : '';
    return `is not the base64 of ${KEY_BYTES} bytes${length}`;
  }
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : 'is not canonical base64';
}

function doesNotOpen(keyId: string): KeyRingError {
  return new KeyRingError(
    `A secret cannot be decrypted with the key ${keyId}: the key differs, or the stored value was changed.`,
  );
}
