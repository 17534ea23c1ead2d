import { DOMParser, type Element } from '@xmldom/xmldom';
import { describe, expect, it } from 'vitest';
import { spMetadata } from './sp-metadata.js';

const provider = {
  entityId: 'https://login.example.com/saml/r1/metadata?a=1&b="2"',
  assertionConsumerServiceUrl: 'https://login.example.com/saml/r1/acs',
  singleLogoutUrl: 'https://login.example.com/saml/r1/slo',
  signingCertificate: '-----BEGIN CERTIFICATE-----\nMIIB\nAg==\n-----END CERTIFICATE-----\n',
  nameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
};

function rootOf(xml: string): Element {
  const root = new DOMParser().parseFromString(xml, 'text/xml').documentElement;
  if (!root) throw new Error('The document has no root.');
  return root;
}

const childrenOf = (element: Element): Element[] =>
  Array.from(element.childNodes).filter((node): node is Element => node.nodeType === 1);

describe('the metadata of a service provider', () => {
  it('has its elements in the order of the schema', () => {
    const root = rootOf(spMetadata(provider));
    expect([root.namespaceURI, root.localName]).toEqual(['urn:oasis:names:tc:SAML:2.0:metadata', 'EntityDescriptor']);
    expect(root.getAttribute('entityID')).toBe(provider.entityId);
    const [descriptor] = childrenOf(root);
    expect(childrenOf(root).map(({ localName }) => localName)).toEqual(['SPSSODescriptor']);
    expect(descriptor?.getAttribute('protocolSupportEnumeration')).toBe('urn:oasis:names:tc:SAML:2.0:protocol');
    expect((descriptor ? childrenOf(descriptor) : []).map(({ localName }) => localName)).toEqual([
      'KeyDescriptor',
      'SingleLogoutService',
      'SingleLogoutService',
      'NameIDFormat',
      'AssertionConsumerService',
    ]);
  });

  it('has the signing certificate and the addresses', () => {
    const root = rootOf(spMetadata(provider));
    const of = (name: string) => Array.from(root.getElementsByTagNameNS('*', name));
    expect(of('X509Certificate').map(({ textContent }) => textContent)).toEqual(['MIIBAg==']);
    expect(of('KeyDescriptor')[0]?.getAttribute('use')).toBe('signing');
    expect(of('NameIDFormat')[0]?.textContent).toBe(provider.nameIdFormat);
    const services = [...of('AssertionConsumerService'), ...of('SingleLogoutService')];
    expect(services.map((service) => [service.getAttribute('Binding'), service.getAttribute('Location')])).toEqual([
      ['urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST', provider.assertionConsumerServiceUrl],
      ['urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', provider.singleLogoutUrl],
      ['urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST', provider.singleLogoutUrl],
    ]);
    expect(of('AssertionConsumerService')[0]?.getAttribute('index')).toBe('0');
  });
});
