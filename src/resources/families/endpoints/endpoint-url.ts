import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { boundedString } from '../../../bounds/bounded.js';
import { parseHostName } from '../../building-blocks/names/host-name.js';
import { HOST_NAME, PORT, WILDCARD } from '../../building-blocks/names/name-patterns.js';

/** The protocols of endpoints with their default ports. TCP has none. */
const defaultPorts = { http: 80, https: 443, tls: 443, tcp: null } as const;

/** A protocol that an endpoint is served with. */
export type Protocol = keyof typeof defaultPorts;
export const protocols = ['http', 'https', 'tcp', 'tls'] as const satisfies readonly Protocol[];

/** Longest URL: a host name has at most 253 characters, and longer Unicode names are rare. */
const MAX_URL = 512;

/** The address of an endpoint, in parts. */
export interface EndpointUrl {
  /** Normalized: host name in lower-case ASCII, no default port, no trailing slash. */
  readonly url: string;
  readonly scheme: Protocol;
  readonly host: string;
  readonly port: number;
  /** `host:port`, always with the port. */
  readonly hostport: string;
}

function isProtocol(text: string): text is Protocol {
  return Object.hasOwn(defaultPorts, text);
}

/**
 * Parses the URL of an endpoint: `scheme://host` or `scheme://host:port`.
 * @returns the parts of the URL, or a detail that says what is wrong
 */
export function parseEndpointUrl(text: string): EndpointUrl | { readonly fault: string } {
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/(.*)$/is.exec(text) ?? [];
  const protocol = scheme.toLowerCase();
  if (!isProtocol(protocol)) return { fault: 'must begin with https://, http://, tls:// or tcp://' };
  if (rest.includes('@')) return { fault: 'must not have user info' };
  const [, address = '', behind = ''] = /^([^/?#\\]*)(.*)$/s.exec(rest) ?? [];
  if (behind !== '' && behind !== '/') return { fault: 'must not have a path, a query or a fragment' };
  const [, name = '', digits] = /^(.*?)(?::(\d{1,5}))?$/s.exec(address) ?? [];
  const host = parseHostName(name, { wildcards: protocol !== 'tcp' });
  if ('fault' in host) return { fault: `has an invalid host: the host ${host.fault}` };
  const usual = defaultPorts[protocol];
  const port = digits === undefined ? usual : Number(digits);
  if (port === null) return { fault: 'must have a port: tcp:// has no default port' };
  if (port < 1 || port > 65_535) return { fault: 'must have a port from 1 to 65535' };
  return partsOf(protocol, host.name, port);
}

function partsOf(scheme: Protocol, host: string, port: number): EndpointUrl {
  const hostport = `${host}:${port}`;
  const url = `${scheme}://${port === defaultPorts[scheme] ? host : hostport}`;
  return { url, scheme, host, port, hostport };
}

/** The URL of an endpoint in a request. The output is normalized. */
export const endpointUrl = boundedString(MAX_URL)
  .transform((text, context) => {
    const parsed = parseEndpointUrl(text);
    if ('url' in parsed) return parsed.url;
    context.addIssue({ code: 'custom', message: parsed.fault });
    return z.NEVER;
  })
  .meta({
    description:
      'URL that the endpoint serves: `https://`, `http://`, `tls://` or `tcp://`, a host name and an optional port. A wildcard host is allowed except for `tcp://`. A port is required for `tcp://`. No path, query or fragment.',
    pattern: `^(?:(?:https?|tls)://${WILDCARD}${HOST_NAME}(?::${PORT})?|tcp://${HOST_NAME}:${PORT})/?$`,
    example: 'https://app.example.com',
  });

/** Parses a stored URL, which is normalized. Its host may be an address, since edges serve addresses. */
export function storedUrl(url: unknown): EndpointUrl {
  const [, scheme = '', host = '', digits] = /^([a-z]+):\/\/(\[[^\]]+\]|[^:/[\]]+)(?::(\d+))?$/.exec(String(url)) ?? [];
  const port = isProtocol(scheme) && digits === undefined ? defaultPorts[scheme] : Number(digits);
  if (!isProtocol(scheme) || port === null) throw new Error(`The stored URL ${String(url)} is not valid.`);
  return partsOf(scheme, host, port);
}

/** Returns the normalized URL of a valid hostport of an edge: `host:port`, also with an address. */
export function urlOfHostport(scheme: Protocol, hostport: string): string {
  const colon = hostport.lastIndexOf(':');
  const name = hostport.slice(0, colon).toLowerCase();
  const host = name.startsWith('[') ? addressIn(name) : name;
  return partsOf(scheme, host, Number(hostport.slice(colon + 1))).url;
}

/** Returns one notation of each IPv6 address in brackets: RFC 5952, and IPv4 for an IPv4 address within IPv6. */
function addressIn(bracketed: string): string {
  const address = ipaddr.process(bracketed.slice(1, -1));
  return address.kind() === 'ipv4' ? address.toString() : new URL(`http://${bracketed}`).hostname;
}

/** Returns the URLs at a normalized hostport, one of each protocol. */
export function urlsAt(hostport: string): readonly string[] {
  return protocols.map((scheme) => urlOfHostport(scheme, hostport));
}
