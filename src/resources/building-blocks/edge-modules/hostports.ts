import { isIPv4, isIPv6 } from 'node:net';
import { z } from 'zod';
import { boundedString } from '../../../bounds/bounded.js';
import { urlOfHostport } from '../../families/endpoints/endpoint-url.js';
import { ANY_HOST_NAME, PORT, WILDCARD } from '../names/name-patterns.js';

/** Most hostports of one edge. */
const MAX_HOSTPORTS = 50;
/** https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4, in text without the final dot. */
const MAX_HOST_LENGTH = 253;
/** A host, a colon and the port. */
const MAX_HOSTPORT_LENGTH = MAX_HOST_LENGTH + 6;

const IPV4 = withoutAnchors(z.regexes.ipv4);
const IPV6 = withoutAnchors(z.regexes.ipv6);

const labelPattern = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i;
const portPattern = /^[1-9]\d{0,4}$/;

function withoutAnchors({ source }: RegExp): string {
  return source.replace(/^\^/, '').replace(/\$$/, '');
}

function isHost(host: string, wildcards: boolean): boolean {
  if (host.startsWith('[')) return host.endsWith(']') && isIPv6(host.slice(1, -1)) && !host.includes('%');
  // A URL takes a host whose last label is a number for an IPv4 address.
  if (/(?:^|\.)(?:\d+|0x[\da-f]*)$/i.test(host)) return isIPv4(host);
  const labels = (wildcards ? host.replace(/^\*\./, '') : host).split('.');
  return host.length <= MAX_HOST_LENGTH && labels.every((label) => labelPattern.test(label));
}

function isHostport(value: string, wildcards: boolean): boolean {
  const colon = value.lastIndexOf(':');
  const port = value.slice(colon + 1);
  return colon > 0 && portPattern.test(port) && Number(port) <= 65_535 && isHost(value.slice(0, colon), wildcards);
}

/**
 * The hostports that an edge serves, as `host:port`. The host is a DNS name in ASCII, an IPv4 address, or an IPv6
 * address in brackets.
 * @param wildcards whether the first label may be `*`
 */
export function hostports({ wildcards }: { readonly wildcards: boolean }) {
  return z
    .array(
      boundedString(MAX_HOSTPORT_LENGTH)
        .refine((value) => isHostport(value, wildcards), {
          error: 'must be host:port, with a host name or address and a port from 1 to 65535',
        })
        .meta({
          pattern: `^(?:${wildcards ? WILDCARD : ''}${ANY_HOST_NAME}|${IPV4}|\\[${IPV6}\\]):${PORT}$`,
          maxLength: MAX_HOST_LENGTH + 6,
          example: wildcards ? 'app.example.com:443' : '1.tcp.example.com:20001',
        }),
    )
    .max(MAX_HOSTPORTS)
    .superRefine((list, context) => {
      const served = new Set<string>();
      for (const [index, value] of list.entries()) {
        if (!isHostport(value, wildcards)) continue;
        const url = urlOfHostport('tcp', value);
        if (served.has(url))
          context.addIssue({ code: 'custom', path: [index], message: 'must not name the same host and port twice' });
        served.add(url);
      }
    })
    .meta({ description: 'Hostports that the edge serves, as `host:port`.', uniqueItems: true });
}
