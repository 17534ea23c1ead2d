/** Metadata of an identity provider as one would give it out, with another set of parts where a test says so. */
export function idpMetadata({
  root = 'EntityDescriptor',
  entityId = 'https://idp.example.com/metadata',
  inside = ssoDescriptor(),
}: {
  readonly root?: string;
  readonly entityId?: string;
  readonly inside?: string;
} = {}): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<md:${root} xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">${inside}</md:${root}>`
  );
}

/** The part of it that says how people log in. */
export function ssoDescriptor(
  services = '<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.com/sso?a=1&amp;b=2"/>',
): string {
  return `<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${services}</md:IDPSSODescriptor>`;
}
