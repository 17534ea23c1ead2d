/** Returns valid metadata of an identity provider, or metadata with other parts. */
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

/** Returns the descriptor of its single sign-on. */
export function ssoDescriptor(
  services = '<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.com/sso?a=1&amp;b=2"/>',
): string {
  return `<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${services}</md:IDPSSODescriptor>`;
}
