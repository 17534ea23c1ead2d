import { z } from 'zod';
import { parseHostName } from '../../building-blocks/names/host-name.js';

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
  const hostport = `${host.name}:${port}`;
  const url = `${protocol}://${port === usual ? host.name : hostport}`;
  return { url, scheme: protocol, host: host.name, port, hostport };
}

/** The URL of an endpoint in a request. The output is normalized. */
export const endpointUrl = z
  .string()
  .max(MAX_URL)
  .transform((text, context) => {
    const parsed = parseEndpointUrl(text);
    if ('url' in parsed) return parsed.url;
    context.addIssue({ code: 'custom', message: parsed.fault });
    return z.NEVER;
  })
  .meta({
    description:
      'URL that the endpoint serves: `https://`, `http://`, `tls://` or `tcp://`, a host name and an optional port. A wildcard host is allowed except for `tcp://`. A port is required for `tcp://`. No path, query or fragment.',
    example: 'https://app.example.com',
  });

/** Parses a stored URL. */
export function storedUrl(url: unknown): EndpointUrl {
  const parsed = parseEndpointUrl(String(url));
  if ('fault' in parsed) throw new Error(`The URL of a stored endpoint is invalid: the URL ${parsed.fault}.`);
  return parsed;
}
