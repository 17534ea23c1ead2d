import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { isStorable } from '../../bounds/storable.js';
import {
  contentOf,
  derElement,
  derElements,
  DerError,
  derTag,
  objectId,
  textOf,
  timeOf,
  type DerElement,
} from './der.js';
import { publicKeyType, type PrivateKeyType } from './key-header.js';

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

/** Names of key usages in RFC 5280 section 4.2.1.3, in the order of their bits. */
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
];

/** The content of a certificate. Absent parts of a name are null. */
export interface CertificateContent {
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
  readonly keyType: PrivateKeyType;
  /** In hexadecimal, lower case. */
  readonly serialNumber: string;
  /** SHA-256 of the whole certificate, in hexadecimal, lower case. */
  readonly fingerprint: string;
}

/** A certificate that OpenSSL accepted. */
export interface Certificate extends CertificateContent {
  /** Whether its basic constraints have CA:TRUE. */
  readonly isAuthority: boolean;
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

/** Encoded object identifiers of RFC 5280, in hexadecimal. */
const attributeIds = {
  commonName: '550403',
  country: '550406',
  locality: '550407',
  province: '550408',
  organization: '55040a',
  organizationalUnit: '55040b',
};
const extensionIds = { keyUsage: '551d0f', subjectAlternativeName: '551d11', extendedKeyUsage: '551d25' };

/** Tags of GeneralName: https://www.rfc-editor.org/rfc/rfc5280#section-4.2.1.6 */
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

/**
 * Reads a certificate (RFC 5280, section 4.1) from DER. Takes time proportional to its bytes, and verifies nothing.
 * @throws DerError when it cannot be read, or has text that cannot be stored; UnsupportedKey
 */
export function readCertificate(der: Buffer): CertificateContent {
  const [tbs] = derElements(derElement(der, derTag.sequence));
  const fields = derElements(contentOf(tbs, derTag.sequence));
  // The version is tagged with 0; it is left out of certificates of version 1.
  const [serial, , issuer, validity, subject, keyInfo, ...optional] =
    fields[0]?.tag === 0xa0 ? fields.slice(1) : fields;
  const keyType = publicKeyType(contentOf(keyInfo, derTag.sequence));
  const [notBefore, notAfter] = derElements(contentOf(validity, derTag.sequence));
  if (!notBefore || !notAfter) throw new DerError('A certificate has no validity period.');
  const extensions = extensionsIn(optional);
  const names = alternativeNames(extensions.get(extensionIds.subjectAlternativeName));
  return {
    subject: distinguishedName(contentOf(subject, derTag.sequence)),
    issuerCommonName: distinguishedName(contentOf(issuer, derTag.sequence)).commonName,
    ...names,
    notBefore: timeOf(notBefore),
    notAfter: timeOf(notAfter),
    keyUsages: keyUsages(extensions.get(extensionIds.keyUsage)),
    extendedKeyUsages: extendedKeyUsages(extensions.get(extensionIds.extendedKeyUsage)),
    keyType,
    serialNumber: serialNumber(contentOf(serial, derTag.integer)),
    fingerprint: createHash('sha256').update(der).digest('hex'),
  };
}

function serialNumber(integer: Buffer): string {
  const hex = integer.toString('hex');
  return hex.length > 2 && hex.startsWith('00') ? hex.slice(2) : hex;
}

/** Returns the first value of each attribute of a Name. */
function distinguishedName(name: Buffer): DistinguishedName {
  const values = new Map<string, string>();
  for (const relative of derElements(name)) {
    for (const attribute of derElements(contentOf(relative, derTag.set))) {
      const [type, value] = derElements(contentOf(attribute, derTag.sequence));
      const id = contentOf(type, derTag.objectId).toString('hex');
      if (value && !values.has(id) && Object.values(attributeIds).includes(id)) values.set(id, storableText(value));
    }
  }
  const part = (id: string): string | null => values.get(id) ?? null;
  return {
    commonName: part(attributeIds.commonName),
    organization: part(attributeIds.organization),
    organizationalUnit: part(attributeIds.organizationalUnit),
    locality: part(attributeIds.locality),
    province: part(attributeIds.province),
    country: part(attributeIds.country),
  };
}

function storableText(element: DerElement): string {
  const text = textOf(element);
  if (isStorable(text)) return text;
  throw new DerError('A name has a NUL character or an unpaired surrogate.');
}

/** Returns the values of the extensions (tagged with 3) by their encoded id. */
function extensionsIn(optional: readonly DerElement[]): ReadonlyMap<string, Buffer> {
  const tagged = optional.find(({ tag }) => tag === 0xa3);
  const extensions = tagged ? derElements(derElement(tagged.content, derTag.sequence)) : [];
  return new Map(
    extensions.map((extension) => {
      const parts = derElements(contentOf(extension, derTag.sequence));
      const value = contentOf(parts.at(-1), derTag.octetString);
      return [contentOf(parts[0], derTag.objectId).toString('hex'), value];
    }),
  );
}

function alternativeNames(extension: Buffer | undefined): Pick<CertificateContent, 'dnsNames' | 'ips'> {
  const names = extension ? derElements(derElement(extension, derTag.sequence)) : [];
  const withTag = (wanted: number) => names.filter(({ tag }) => tag === wanted);
  return {
    dnsNames: withTag(DNS_NAME).map(({ content }) => storableText({ tag: derTag.ia5String, content })),
    ips: withTag(IP_ADDRESS).map(({ content }) => {
      if (content.length !== 4 && content.length !== 16) throw new DerError('An IP address has another length.');
      return ipaddr.fromByteArray([...content]).toString();
    }),
  };
}

function keyUsages(extension: Buffer | undefined): readonly string[] {
  if (!extension) return [];
  const bits = derElement(extension, derTag.bitString);
  // The first byte is the number of unused bits; the first bit is the highest one of the second byte.
  return keyUsageNames.filter((_, bit) => ((bits[1 + (bit >> 3)] ?? 0) & (0x80 >> (bit & 7))) !== 0);
}

function extendedKeyUsages(extension: Buffer | undefined): readonly string[] {
  if (!extension) return [];
  return derElements(derElement(extension, derTag.sequence)).map((usage) => {
    const id = objectId(contentOf(usage, derTag.objectId));
    return extendedKeyUsageNames[id] ?? id;
  });
}
