import { DOMParser, type Element, onWarningStopParsing } from '@xmldom/xmldom';
import { boundedString } from '../../../bounds/bounded.js';

/** https://docs.oasis-open.org/security/saml/v2.0/saml-metadata-2.0-os.pdf */
const NAMESPACE = 'urn:oasis:names:tc:SAML:2.0:metadata';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';

/**
 * Longest descriptor, in bytes of JSON text: half of the size limit of an event. Descriptors for one application have 2
 * to 10 KiB; longer ones of whole directories can be reduced to their IDPSSODescriptor.
 */
const MAX_BYTES = 32_768;

function childrenOf(element: Element, name: string): Element[] {
  return Array.from(element.getElementsByTagNameNS(NAMESPACE, name)).filter(({ parentNode }) => parentNode === element);
}

function speaksSaml2(idp: Element): boolean {
  const protocols = idp.getAttribute('protocolSupportEnumeration');
  return protocols === null || protocols.split(/\s+/).includes(PROTOCOL);
}

function isWebAddress(location: string | null): boolean {
  return location !== null && URL.canParse(location) && /^https?:$/.test(new URL(location).protocol);
}

/** A character that XML does not allow: https://www.w3.org/TR/xml/#charsets */
const NO_XML_CHARACTER = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;
/** References to characters, and the parts of a document that have none. */
const REFERENCES = /<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|&#(?:x([\da-f]+)|(\d+));/gis;

/** Whether a document that was parsed has XML characters only. The parser accepts others. */
function hasXmlCharacters(xml: string): boolean {
  if (NO_XML_CHARACTER.test(xml)) return false;
  for (const [, hex, decimal] of xml.matchAll(REFERENCES)) {
    const code = hex === undefined ? Number(decimal ?? 0x20) : Number.parseInt(hex, 16);
    if (code > 0x10ffff || NO_XML_CHARACTER.test(String.fromCodePoint(code))) return false;
  }
  return true;
}

function rootOf(xml: string): Element | null {
  try {
    return new DOMParser({ onError: onWarningStopParsing }).parseFromString(xml.trim(), 'text/xml').documentElement;
  } catch {
    return null;
  }
}

/**
 * Checks the metadata of an identity provider. Document types are refused before parsing, and with them every entity
 * except the five of XML itself.
 * @returns what is wrong, or null
 */
export function idpMetadataError(xml: string): string | null {
  if (Buffer.byteLength(JSON.stringify(xml)) > MAX_BYTES + 2)
    return `must not be longer than ${MAX_BYTES} bytes, counted as JSON text`;
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) return 'must not have a document type (DTD) or entities';
  const root = rootOf(xml);
  if (root === null || !hasXmlCharacters(xml)) return 'must be a well-formed XML document';
  if (root.namespaceURI !== NAMESPACE || root.localName !== 'EntityDescriptor')
    return `must have the root element EntityDescriptor in the namespace ${NAMESPACE}`;
  if ((root.getAttribute('entityID') ?? '').trim() === '') return 'must have an entityID';
  const idps = childrenOf(root, 'IDPSSODescriptor').filter(speaksSaml2);
  if (idps.length === 0) return `must have an IDPSSODescriptor that supports ${PROTOCOL}`;
  const services = idps.flatMap((idp) => childrenOf(idp, 'SingleSignOnService'));
  if (services.length === 0) return 'must have a SingleSignOnService in its IDPSSODescriptor';
  return services.some((service) => isWebAddress(service.getAttribute('Location')))
    ? null
    : 'must have a SingleSignOnService whose Location is an http or https URL';
}

/** Metadata of an identity provider, stored as given. */
export const idpMetadata = boundedString(MAX_BYTES)
  .superRefine((xml, context) => {
    const message = idpMetadataError(xml);
    if (message !== null) context.addIssue({ code: 'custom', message });
  })
  .meta({
    description:
      'Full XML entity descriptor of the identity provider: an EntityDescriptor with an IDPSSODescriptor and a ' +
      'SingleSignOnService. No document type. At most 32768 bytes, counted as JSON text.',
    contentMediaType: 'application/samlmetadata+xml',
  });
