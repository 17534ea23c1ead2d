import { contentOf, derElement, derElements, DerError, derTag, unsigned, wholeBytes } from './der.js';

/** The types of keys of TLS certificates. */
export const privateKeyTypes = ['rsa', 'ecdsa', 'ed25519'] as const;
export type PrivateKeyType = (typeof privateKeyTypes)[number];

/** The keys that are supported. Follows "must be" or "must have". */
export const SUPPORTED_KEYS = 'an RSA key of 1024 to 8192 bits, an ECDSA key (P-256, P-384 or P-521) or an Ed25519 key';

const RSA_BITS = { least: 1_024, most: 8_192 };
/** OpenSSL refuses larger exponents of long keys too: https://docs.openssl.org/3.0/man3/RSA_generate_key/ */
const MAX_EXPONENT_BYTES = 8;

/** Thrown for a key of an algorithm or size that is not supported. */
export class UnsupportedKey extends Error {
  override readonly name = 'UnsupportedKey';
}

/** Encoded object identifiers of algorithms and curves, in hexadecimal. */
const RSA = '2a864886f70d010101';
const EC = '2a8648ce3d0201';
const ED25519 = '2b6570';
const curves = ['2a8648ce3d030107', '2b81040022', '2b81040023'];

/**
 * Reads the type of a public key (SubjectPublicKeyInfo) from its header.
 *
 * OpenSSL computes with whatever key it parses: minutes for a DSA key of 31 KB, or a curve with parameters of its own.
 * So the header decides whether OpenSSL may see the key at all.
 * @throws UnsupportedKey; DerError when the header cannot be read
 */
export function publicKeyType(info: Buffer): PrivateKeyType {
  const [algorithm, key] = derElements(info);
  const type = algorithmType(contentOf(algorithm, derTag.sequence));
  if (type === 'rsa') {
    const [modulus, exponent] = derElements(derElement(wholeBytes(contentOf(key, derTag.bitString)), derTag.sequence));
    assertRsaSize(contentOf(modulus, derTag.integer), contentOf(exponent, derTag.integer));
  }
  return type;
}

/** The forms of a private key in PEM, as Node names them. */
export type PrivateKeyForm = 'pkcs8' | 'pkcs1' | 'sec1';

/** Checks the header of a private key. @throws UnsupportedKey; DerError when the header cannot be read */
export function assertSupportedPrivateKey(der: Buffer, form: PrivateKeyForm): void {
  const parts = derElements(derElement(der, derTag.sequence));
  switch (form) {
    case 'pkcs1':
      return assertRsaPrivateKey(parts);
    case 'sec1':
      return assertEcPrivateKey(parts, 'named');
    case 'pkcs8': {
      const [, algorithm, key] = parts;
      const type = algorithmType(contentOf(algorithm, derTag.sequence));
      const inner = contentOf(key, derTag.octetString);
      if (type === 'rsa') assertRsaPrivateKey(derElements(derElement(inner, derTag.sequence)));
      if (type === 'ecdsa') assertEcPrivateKey(derElements(derElement(inner, derTag.sequence)), 'inherited');
    }
  }
}

type Elements = ReturnType<typeof derElements>;

/** https://www.rfc-editor.org/rfc/rfc8017#appendix-A.1.2 */
function assertRsaPrivateKey(parts: Elements): void {
  const [version, modulus, exponent, ...others] = parts.map((part) => contentOf(part, derTag.integer));
  if (!version || !modulus || !exponent) throw new DerError('An RSA key is incomplete.');
  if (unsigned(version).length > 0) throw new UnsupportedKey('An RSA key has more than two primes.');
  assertRsaSize(modulus, exponent);
  const { length } = unsigned(modulus);
  if (others.some((part) => unsigned(part).length > length)) throw new DerError('A part of an RSA key is too large.');
}

/** Bytes of the largest number of a supported curve, P-521. */
const MAX_SCALAR_BYTES = 66;

/**
 * https://www.rfc-editor.org/rfc/rfc5915#section-3. The curve is tagged with 0.
 * @param curve `inherited`: a key in PKCS #8 may leave out the curve, since the header has it
 */
function assertEcPrivateKey(parts: Elements, curve: 'named' | 'inherited'): void {
  if (contentOf(parts[1], derTag.octetString).length > MAX_SCALAR_BYTES) throw new DerError('An EC key is too large.');
  const parameters = parts.find(({ tag }) => tag === 0xa0);
  if (parameters) assertCurve(derElement(parameters.content, derTag.objectId));
  else if (curve === 'named') throw new DerError('An EC key has no curve.');
}

function assertRsaSize(modulus: Buffer, exponent: Buffer): void {
  const bytes = unsigned(modulus);
  const bits = bytes.length * 8 - Math.clz32(bytes[0] ?? 0) + 24;
  if (bits < RSA_BITS.least || bits > RSA_BITS.most) throw new UnsupportedKey(`An RSA key has ${bits} bits.`);
  if (unsigned(exponent).length > MAX_EXPONENT_BYTES) throw new UnsupportedKey('An RSA exponent is too large.');
}

/** The type in an AlgorithmIdentifier. Curves must have a name: parameters of their own make OpenSSL compute. */
function algorithmType(identifier: Buffer): PrivateKeyType {
  const [id, parameters] = derElements(identifier);
  switch (contentOf(id, derTag.objectId).toString('hex')) {
    case RSA:
      return 'rsa';
    case EC:
      if (parameters?.tag !== derTag.objectId) throw new UnsupportedKey('A curve has no name.');
      assertCurve(parameters.content);
      return 'ecdsa';
    case ED25519:
      return 'ed25519';
    default:
      throw new UnsupportedKey('A key has another algorithm.');
  }
}

function assertCurve(id: Buffer): void {
  if (!curves.includes(id.toString('hex'))) throw new UnsupportedKey('A key is on another curve.');
}
