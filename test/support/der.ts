/** Encodes DER for tests of certificates and keys that no library would make. */

/** One element: tag, length and content. */
export function der(tag: number, ...content: readonly (Buffer | string)[]): Buffer {
  const bytes = Buffer.concat(content.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
  if (bytes.length < 0x80) return Buffer.concat([Buffer.from([tag, bytes.length]), bytes]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([Buffer.from([tag, 0x84]), length, bytes]);
}

const hex = (text: string) => Buffer.from(text, 'hex');
export const integer = (bytes: Buffer) => der(0x02, Buffer.from([0]), bytes);
export const objectId = (encoded: string) => der(0x06, hex(encoded));

/** Encoded object identifiers. */
export const RSA = '2a864886f70d010101';
const EC = '2a8648ce3d0201';
const P256 = '2a8648ce3d030107';
const DSA = '2a8648ce380401';

/** A number of so many bytes, the first and last bits set. */
export const numberOf = (bytes: number) => Buffer.alloc(bytes, 0xff);

/** A key in PKCS #8. */
export function pkcs8(algorithm: Buffer, key: Buffer): Buffer {
  return der(0x30, der(0x02, '\0'), algorithm, der(0x04, key));
}

/** A DSA key whose public half takes OpenSSL minutes to compute. */
export function dsaKey(bytes: number): Buffer {
  const [p, q, g] = [integer(numberOf(bytes)), integer(numberOf(32)), der(0x02, '\x02')];
  return pkcs8(der(0x30, objectId(DSA), der(0x30, p, q, g)), integer(numberOf(bytes - 1)));
}

/** An RSA key in PKCS #1 with a modulus of so many bytes. */
export function rsaKey(bytes: number, exponent = Buffer.from([1, 0, 1]), version = '\0'): Buffer {
  const n = integer(numberOf(bytes));
  const half = integer(numberOf(Math.ceil(bytes / 2)));
  return der(0x30, der(0x02, version), n, integer(exponent), n, half, half, half, half, half);
}

/** A P-256 key in SEC 1, with these parameters instead of the name of the curve. */
export function ecKey(parameters = objectId(P256), scalar = numberOf(32)): Buffer {
  return der(0x30, der(0x02, '\x01'), der(0x04, scalar), der(0xa0, parameters));
}

/** A P-256 key in PKCS #8. */
export const ecPkcs8 = (inner: Buffer, curve = objectId(P256)): Buffer => pkcs8(der(0x30, objectId(EC), curve), inner);

/** What a test asks of a certificate in DER. It is not signed. */
export interface DerCertificateWish {
  /** A DER string; default: a PrintableString. */
  readonly commonName?: Buffer;
  readonly dnsNames?: readonly string[];
  readonly notBefore?: Buffer;
  readonly notAfter?: Buffer;
  /** SubjectPublicKeyInfo; default: the one of a new P-256 key. */
  readonly publicKey: Buffer;
}

/** A certificate of version 3. OpenSSL parses it; nobody verifies its signature. */
export function derCertificate(wish: DerCertificateWish): Buffer {
  const signature = der(0x30, objectId('2a8648ce3d040302'));
  const name = der(0x30, der(0x31, der(0x30, objectId('550403'), wish.commonName ?? der(0x13, 'test'))));
  const validity = der(0x30, wish.notBefore ?? der(0x17, '260101000000Z'), wish.notAfter ?? der(0x17, '260401000000Z'));
  const names = (wish.dnsNames ?? []).map((dnsName) => der(0x82, dnsName));
  const extension = der(0x30, objectId('551d11'), der(0x04, der(0x30, ...names)));
  const extensions = names.length === 0 ? [] : [der(0xa3, der(0x30, extension))];
  const version = der(0xa0, der(0x02, '\x02'));
  const serial = der(0x02, '\x0a\x1b\x2c');
  const tbs = der(0x30, version, serial, signature, name, validity, name, wish.publicKey, ...extensions);
  return der(0x30, tbs, signature, der(0x03, '\0', der(0x30, integer(numberOf(32)), integer(numberOf(32)))));
}

/** A block of PEM. */
export function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
