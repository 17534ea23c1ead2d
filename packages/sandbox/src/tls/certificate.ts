import 'reflect-metadata';
import { KeyObject, createPrivateKey, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A key and its certificate, both PEM. */
export interface Identity {
  readonly key: string;
  readonly certificate: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** Allowed difference of clocks. */
const BACKDATED_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Creates a certificate authority (P-256) that may sign end certificates only. */
export async function createAuthority(name: string, days: number): Promise<Identity> {
  const keys = await newKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...validFor(days),
    name: [{ CN: [name] }],
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return identity(keys, certificate);
}

/** Creates a server certificate (P-256) for host names and IP addresses. */
export async function createServerIdentity(
  authority: Identity,
  hosts: readonly string[],
  days: number,
): Promise<Identity> {
  const keys = await newKeys();
  const issuer = new X509Certificate(authority.certificate);
  const signingKey = await webcrypto.subtle.importKey(
    'pkcs8',
    createPrivateKey(authority.key).export({ type: 'pkcs8', format: 'der' }),
    algorithm,
    false,
    ['sign'],
  );
  const names = hosts.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value }));
  const certificate = await X509CertificateGenerator.create({
    ...validFor(days),
    subject: [{ CN: [hosts[0] ?? 'localhost'] }],
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(names),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  return identity(keys, certificate);
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

function validFor(days: number) {
  const now = Date.now();
  return {
    notBefore: new Date(now - BACKDATED_MS),
    notAfter: new Date(now + days * DAY_MS),
    signingAlgorithm: algorithm,
  };
}

function identity(keys: webcrypto.CryptoKeyPair, certificate: X509Certificate): Identity {
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  return { key: key.toString(), certificate: `${certificate.toString('pem')}\n` };
}
