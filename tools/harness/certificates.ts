import 'reflect-metadata';
import { KeyObject, webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** Options of a certificate. */
export interface CertificateOptions {
  /** A distinguished name; `CN=test` by default. */
  readonly name?: string;
  readonly dnsNames?: readonly string[];
  readonly ips?: readonly string[];
  readonly authority?: boolean;
  readonly rsa?: boolean;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

/** A self-signed certificate, with its key (PKCS #8). */
export interface TestCertificate {
  readonly certificate: string;
  readonly key: string;
}

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const rsa = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
};

/** Creates a certificate with a new key. By default it is valid for 90 days from the start of 2026. */
export async function makeCertificate(options: CertificateOptions = {}): Promise<TestCertificate> {
  const algorithm = options.rsa ? rsa : ecdsa;
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const names = [
    ...(options.dnsNames ?? []).map((value) => ({ type: 'dns' as const, value })),
    ...(options.ips ?? []).map((value) => ({ type: 'ip' as const, value })),
  ];
  const usages = options.authority ? KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign : KeyUsageFlags.digitalSignature;
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '0a1b2c',
    name: options.name ?? 'CN=test',
    notBefore: options.notBefore ?? new Date('2026-01-01T00:00:00Z'),
    notAfter: options.notAfter ?? new Date('2026-04-01T00:00:00Z'),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new BasicConstraintsExtension(options.authority ?? false, undefined, true),
      new KeyUsagesExtension(usages, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, '1.2.3.4']),
      ...(names.length > 0 ? [new SubjectAlternativeNameExtension(names)] : []),
    ],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  return { certificate: `${certificate.toString('pem')}\n`, key: key.toString() };
}
