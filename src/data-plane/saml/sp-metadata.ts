/** The parts of a route's SAML module that its metadata has. */
export interface ServiceProvider {
  readonly entityId: string;
  readonly assertionConsumerServiceUrl: string;
  readonly singleLogoutUrl: string;
  /** PEM. */
  readonly signingCertificate: string;
  readonly nameIdFormat: string;
}

const BINDINGS = 'urn:oasis:names:tc:SAML:2.0:bindings';

/**
 * Returns the metadata of a service provider: an EntityDescriptor of SAML 2.0, with its elements in the order of the
 * schema (https://docs.oasis-open.org/security/saml/v2.0/saml-schema-metadata-2.0.xsd). Requests are signed, and
 * assertions must be signed. There is no key for encryption, so that identity providers send plain assertions over TLS.
 */
export function spMetadata(provider: ServiceProvider): string {
  const { entityId, assertionConsumerServiceUrl: acs, singleLogoutUrl: slo, nameIdFormat } = provider;
  const certificate = provider.signingCertificate.replaceAll(/-----[^-]+-----|\s/g, '');
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escaped(entityId)}">
  <md:SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:KeyDescriptor use="signing">
      <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">
        <ds:X509Data>
          <ds:X509Certificate>${escaped(certificate)}</ds:X509Certificate>
        </ds:X509Data>
      </ds:KeyInfo>
    </md:KeyDescriptor>
    <md:SingleLogoutService Binding="${BINDINGS}:HTTP-Redirect" Location="${escaped(slo)}"/>
    <md:SingleLogoutService Binding="${BINDINGS}:HTTP-POST" Location="${escaped(slo)}"/>
    <md:NameIDFormat>${escaped(nameIdFormat)}</md:NameIDFormat>
    <md:AssertionConsumerService Binding="${BINDINGS}:HTTP-POST" Location="${escaped(acs)}" index="0" isDefault="true"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
}
