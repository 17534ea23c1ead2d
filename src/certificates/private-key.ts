import { createPrivateKey, type KeyObject, type X509Certificate } from 'node:crypto';
import { CertificateError } from './certificate.js';

/** The kinds of keys that certificates for TLS have. */
export const privateKeyTypes = ['rsa', 'ecdsa', 'ed25519'] as const;
export type PrivateKeyType = (typeof privateKeyTypes)[number];

/** Node's names: https://nodejs.org/docs/latest-v20.x/api/crypto.html#keyobjectasymmetrickeytype */
const types: Readonly<Record<string, PrivateKeyType>> = { rsa: 'rsa', ec: 'ecdsa', ed25519: 'ed25519' };

/** The kind of a key, private or public; undefined for one that is not used for TLS. */
export function typeOfKey({ asymmetricKeyType }: KeyObject): PrivateKeyType | undefined {
  return types[asymmetricKeyType ?? ''];
}

/**
 * Checks that a private key in PEM (PKCS #8, PKCS #1 or SEC 1) is the one that a certificate was made for.
 * @throws CertificateError when it cannot be read, is locked by a passphrase, is of a kind that TLS does not use, or is another
 */
export function assertKeyOf(certificate: X509Certificate, pem: string): void {
  const key = readKey(pem);
  if (typeOfKey(key) === undefined) throw new CertificateError('is not an RSA, ECDSA or Ed25519 key');
  if (!certificate.checkPrivateKey(key)) throw new CertificateError('does not belong to the certificate');
}

function readKey(pem: string): KeyObject {
  if (/ENCRYPTED/.test(pem)) throw new CertificateError('is locked by a passphrase: give it without one');
  try {
    return createPrivateKey(pem);
  } catch (error) {
    // What OpenSSL says here tells a client nothing; the key itself must not get into a message.
    throw new CertificateError('is not a private key in PEM', { cause: error });
  }
}
