import 'reflect-metadata';
import { X509Certificate } from 'node:crypto';
import {
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509Certificate as ParsedCertificate,
} from '@peculiar/x509';

/** Most certificates in one chain: real chains have up to four. */
const MAX_CHAIN = 10;

/** An RFC 7468 block. Text between blocks is ignored. */
const pemBlock = /-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]*)-----END \1-----/g;

/** Names of extended key usages in RFC 5280 section 4.2.1.12. Others are given as object identifiers. */
const extendedKeyUsageNames: Readonly<Record<string, string>> = {
  '2.5.29.37.0': 'anyExtendedKeyUsage',
  '1.3.6.1.5.5.7.3.1': 'serverAuth',
  '1.3.6.1.5.5.7.3.2': 'clientAuth',
  '1.3.6.1.5.5.7.3.3': 'codeSigning',
  '1.3.6.1.5.5.7.3.4': 'emailProtection',
  '1.3.6.1.5.5.7.3.8': 'timeStamping',
  '1.3.6.1.5.5.7.3.9': 'OCSPSigning',
};

/** Thrown for invalid PEM text. The message follows the name of the field: `must be a certificate in PEM`. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
}

/** The content of a certificate. Absent parts of a name are null. */
export interface Certificate {
  readonly subject: DistinguishedName;
  readonly issuerCommonName: string | null;
  readonly dnsNames: readonly string[];
  /** IPv4 and IPv6 addresses. */
  readonly ips: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
  /**
   * Names of RFC 5280 section 4.2.1.3, such as `digitalSignature`. Empty when the certificate restricts none.
   */
  readonly keyUsages: readonly string[];
  readonly extendedKeyUsages: readonly string[];
  /** In hexadecimal, lower case. */
  readonly serialNumber: string;
  /** SHA-256 of the whole certificate, in hexadecimal, lower case. */
  readonly fingerprint: string;
  /** Whether its basic constraints have CA:TRUE. */
  readonly isAuthority: boolean;
  /** The certificate as an object of Node. */
  readonly x509: X509Certificate;
}

/** The parts of a name that the API returns. */
export interface DistinguishedName {
  readonly commonName: string | null;
  readonly organization: string | null;
  readonly organizationalUnit: string | null;
  readonly locality: string | null;
  readonly province: string | null;
  readonly country: string | null;
}

/**
 * Reads every certificate of a PEM text, in order; at least one.
 * @throws CertificateError when there is none, too many or one that cannot be read, or another kind of block
 */
export function readCertificates(pem: string): readonly Certificate[] {
  const blocks = [...pem.matchAll(pemBlock)];
  if (blocks.length === 0) throw new CertificateError('must be a certificate in PEM');
  if (blocks.length > MAX_CHAIN) throw new CertificateError(`must not hold more than ${MAX_CHAIN} certificates`);
  for (const [, label = ''] of blocks) {
    if (label !== 'CERTIFICATE') {
      throw new CertificateError(`must hold only certificates, but holds a ${label.toLowerCase()}`);
    }
  }
  return blocks.map(([text], index) => readCertificate(text, blocks.length === 1 ? null : index));
}

/** Reads the first certificate of a chain. @throws as `readCertificates` */
export function leafOf(pem: string): Certificate {
  const [leaf] = readCertificates(pem);
  if (!leaf) throw new CertificateError('must be a certificate in PEM');
  return leaf;
}

function readCertificate(pem: string, index: number | null): Certificate {
  try {
    const x509 = new X509Certificate(pem);
    const parsed = new ParsedCertificate(x509.raw);
    const names = parsed.getExtension(SubjectAlternativeNameExtension)?.names.items ?? [];
    const usages = parsed.getExtension(KeyUsagesExtension)?.usages ?? 0;
    const extended = parsed.getExtension(ExtendedKeyUsageExtension)?.usages ?? [];
    return {
      subject: distinguishedName(parsed),
      issuerCommonName: parsed.issuerName.getField('CN')[0] ?? null,
      dnsNames: names.filter(({ type }) => type === 'dns').map(({ value }) => value),
      ips: names.filter(({ type }) => type === 'ip').map(({ value }) => value),
      notBefore: parsed.notBefore,
      notAfter: parsed.notAfter,
      keyUsages: keyUsageNames.filter((name) => (usages & KeyUsageFlags[name]) !== 0),
      extendedKeyUsages: extended.map(String).map((usage) => extendedKeyUsageNames[usage] ?? usage),
      serialNumber: x509.serialNumber.toLowerCase(),
      fingerprint: x509.fingerprint256.replaceAll(':', '').toLowerCase(),
      isAuthority: x509.ca,
      x509,
    };
  } catch (error) {
    const which = index === null ? '' : ` number ${index + 1}`;
    throw new CertificateError(`holds a certificate${which} that cannot be read`, { cause: error });
  }
}

/** In the order of their bits. */
const keyUsageNames = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
] as const satisfies readonly (keyof typeof KeyUsageFlags)[];

function distinguishedName({ subjectName }: ParsedCertificate): DistinguishedName {
  const part = (name: string): string | null => subjectName.getField(name)[0] ?? null;
  return {
    commonName: part('CN'),
    organization: part('O'),
    organizationalUnit: part('OU'),
    locality: part('L'),
    province: part('ST'),
    country: part('C'),
  };
}
