import { createPrivateKey, type KeyObject, type X509Certificate } from 'node:crypto';
import { CertificateError } from './certificate.js';

/** The types of private keys of TLS certificates. */
export const privateKeyTypes = ['rsa', 'ecdsa', 'ed25519'] as const;
export type PrivateKeyType = (typeof privateKeyTypes)[number];

/** Node's names: https://nodejs.org/docs/latest-v20.x/api/crypto.html#keyobjectasymmetrickeytype */
const types: Readonly<Record<string, PrivateKeyType>> = { rsa: 'rsa', ec: 'ecdsa', ed25519: 'ed25519' };

/** The type of a private or public key. Undefined for a key that TLS does not use. */
export function typeOfKey({ asymmetricKeyType }: KeyObject): PrivateKeyType | undefined {
  return types[asymmetricKeyType ?? ''];
}

/**
 * Checks that a private key in PEM (PKCS #8, PKCS #1 or SEC 1) matches a certificate.
 * @throws CertificateError when the key cannot be read, is encrypted, has a type that TLS does not use, or does not
 * match
 */
export function assertKeyOf(certificate: X509Certificate, pem: string): void {
  const key = readKey(pem);
  if (typeOfKey(key) === undefined) throw new CertificateError('must be an RSA, ECDSA or Ed25519 key');
  if (!certificate.checkPrivateKey(key)) throw new CertificateError('does not match the certificate');
}

function readKey(pem: string): KeyObject {
  if (/ENCRYPTED/.test(pem)) throw new CertificateError('must not be encrypted with a passphrase');
  try {
    return createPrivateKey(pem);
  } catch (error) {
    // The message of OpenSSL does not help a client, and no part of the key may get into a message.
    throw new CertificateError('must be a private key in PEM', { cause: error });
  }
}
