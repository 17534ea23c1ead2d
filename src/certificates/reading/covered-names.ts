/**
 * Whether the DNS names of a certificate cover a name: a host name, or a wildcard such as `*.example.com`. A wildcard
 * of the certificate covers exactly one label: https://www.rfc-editor.org/rfc/rfc9525#section-6.3
 */
export function coversName(dnsNames: readonly string[], name: string): boolean {
  const wanted = name.toLowerCase();
  const wildcard = wanted.replace(/^[^.]+/, '*');
  return dnsNames.some((dnsName) => [wanted, wildcard].includes(dnsName.toLowerCase()));
}
