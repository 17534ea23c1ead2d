import 'reflect-metadata';
import { KeyObject, webcrypto } from 'node:crypto';

/**
 * RSA with SHA-256, the one signature that every SAML identity provider verifies. 2048 bits suffice until 2030:
 * https://nvlpubs.nist.gov/nistpubs/SpecialPublications/NIST.SP.800-57pt1r5.pdf, table 4.
 */
const algorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};

/** Validity period: identity providers pin this certificate, so its expiry protects nothing. */
const VALID_FOR_YEARS = 10;

/** A key pair for signatures, in PEM. */
export interface SigningPair {
  /** X.509, signed by its own key. */
  readonly certificate: string;
  /** PKCS #8. */
  readonly privateKey: string;
}

/** Makes a key pair with a self-signed certificate for `commonName`. Takes some 100 ms of another thread. */
export async function makeSigningPair(commonName: string): Promise<SigningPair> {
  // Loaded for the first pair only: its 250 modules take an eighth of a second of CPU.
  const {
    BasicConstraintsExtension,
    KeyUsageFlags,
    KeyUsagesExtension,
    SubjectKeyIdentifierExtension,
    X509CertificateGenerator,
  } = await import('@peculiar/x509');
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const notBefore = new Date();
  const notAfter = new Date(notBefore);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + VALID_FOR_YEARS);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [commonName] }],
    notBefore,
    notAfter,
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const privateKey = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  return { certificate: `${certificate.toString('pem').trim()}\n`, privateKey: privateKey.toString() };
}
