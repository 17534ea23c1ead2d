import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { bits, boolean, integer, objectId, octets, sequence, set, tagged, time, utf8 } from './der.js';

/** A key and its certificate, both PEM. */
export interface Identity {
  readonly key: string;
  readonly certificate: string;
}

const ecdsaWithSha256 = sequence(objectId('1.2.840.10045.4.3.2'));
/** Allowed difference of clocks. */
const BACKDATED_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Creates a certificate authority (P-256) that may sign end certificates only. */
export function createAuthority(name: string, days: number): Identity {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keyId = keyIdentifier(keys.publicKey);
  const extensions = [
    extension('2.5.29.19', true, sequence(boolean(true), integer(Buffer.from([0])))), // basicConstraints: CA, path length 0
    extension('2.5.29.15', true, bits(Buffer.from([0x06]), 1)), // keyUsage: keyCertSign, cRLSign
    extension('2.5.29.14', false, octets(keyId)),
  ];
  return {
    key: pem(keys.privateKey),
    certificate: certify(name, name, keys.publicKey, keys.privateKey, days, extensions),
  };
}

/** Creates a server certificate (P-256) for host names and IPv4 addresses. */
export function createServerIdentity(
  authority: Identity,
  authorityName: string,
  hosts: readonly string[],
  days: number,
): Identity {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuerKey = createPrivateKey(authority.key);
  const names = hosts.map((host) => {
    if (isIPv6(host)) throw new Error(`The certificate cannot name an IPv6 address: ${host}`);
    return isIPv4(host)
      ? tagged(7, 'primitive', Buffer.from(host.split('.').map(Number)))
      : tagged(2, 'primitive', Buffer.from(host, 'ascii'));
  });
  const extensions = [
    extension('2.5.29.19', true, sequence()), // basicConstraints: not a CA
    extension('2.5.29.15', true, bits(Buffer.from([0x80]), 7)), // keyUsage: digitalSignature
    extension('2.5.29.37', false, sequence(objectId('1.3.6.1.5.5.7.3.1'))), // extendedKeyUsage: serverAuth
    extension('2.5.29.17', false, sequence(...names)), // subjectAltName
    extension('2.5.29.14', false, octets(keyIdentifier(keys.publicKey))),
    extension('2.5.29.35', false, sequence(tagged(0, 'primitive', keyIdentifier(createPublicKey(issuerKey))))),
  ];
  const certificate = certify(hosts[0] ?? 'localhost', authorityName, keys.publicKey, issuerKey, days, extensions);
  return { key: pem(keys.privateKey), certificate };
}

/** An X.509 v3 certificate (RFC 5280, 4.1), PEM. */
function certify(
  subject: string,
  issuer: string,
  publicKey: KeyObject,
  issuerKey: KeyObject,
  days: number,
  extensions: readonly Buffer[],
): string {
  const now = Date.now();
  const body = sequence(
    tagged(0, 'constructed', integer(Buffer.from([2]))),
    integer(randomBytes(16)),
    ecdsaWithSha256,
    distinguishedName(issuer),
    sequence(time(new Date(now - BACKDATED_MS)), time(new Date(now + days * DAY_MS))),
    distinguishedName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, 'constructed', sequence(...extensions)),
  );
  const certificate = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, issuerKey)));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function distinguishedName(commonName: string): Buffer {
  return sequence(set(sequence(objectId('2.5.4.3'), utf8(commonName))));
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return sequence(objectId(id), ...(critical ? [boolean(true)] : []), octets(value));
}

/** The SHA-1 of the public key (RFC 5280, 4.2.1.2): an identifier, not a protection. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  return createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest();
}

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
