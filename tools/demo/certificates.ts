import 'reflect-metadata';
import { KeyObject, webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

/** A certificate and its key, both PEM. */
export interface DemoCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** Creates a self-signed certificate of an authority or a server, valid for a day. */
export async function demoCertificate(name: string, authority: boolean): Promise<DemoCertificate> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const usages = authority ? KeyUsageFlags.keyCertSign : KeyUsageFlags.digitalSignature;
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    notBefore: new Date(),
    notAfter: new Date(Date.now() + DAY_MS),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new BasicConstraintsExtension(authority),
      new KeyUsagesExtension(usages),
      ...(authority ? [] : [new SubjectAlternativeNameExtension([{ type: 'dns', value: name }])]),
    ],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  return { certificate: certificate.toString('pem'), key: String(key) };
}
