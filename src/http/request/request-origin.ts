import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { ipRange } from '../../config/ip-range.js';
import { MOST_PROXIES, type TrustedProxies } from '../../config/trusted-proxies.js';
import { canonicalAddress, forwardedAddress } from './client-address.js';

/** Where a request comes from, and the address that its client used. */
export interface RequestOrigin {
  /** IP address of the client; null when the connection has ended. */
  readonly ip: string | null;
  /** Host and port as the client sent them; not checked. Empty when the request has none. */
  readonly host: string;
  /** The header that `host` is from. */
  readonly hostHeader: 'Host' | 'X-Forwarded-Host';
  /** Scheme of the address; not checked where a proxy sent it. */
  readonly protocol: string;
}

/** Whether the address of a hop is a proxy's. Hop 0 is the peer of the connection. */
type Trusts = (address: string, hop: number) => boolean;

/**
 * Returns a function that reads the origin of a request. X-Forwarded-For, -Host and -Proto count only if the peer of
 * the connection is a trusted proxy. Each trusted proxy vouches for one entry of X-Forwarded-For, from the right: the
 * client is the first address that no trusted proxy has. An entry that is not an address ends the search at the proxy
 * before.
 */
export function originReader(trusted: TrustedProxies): (request: IncomingMessage) => RequestOrigin {
  const trusts = trustsOf(trusted);
  return ({ socket, headers }) => {
    const peer = canonicalAddress(socket.remoteAddress ?? '');
    const host = headers.host ?? '';
    const protocol = 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http';
    if (peer === null || !trusts(peer, 0)) return { ip: peer, host, hostHeader: 'Host', protocol };
    const forwardedHost = entriesOf(headers['x-forwarded-host']).at(-1);
    return {
      ip: clientOf(peer, entriesOf(headers['x-forwarded-for']), trusts),
      host: forwardedHost || host,
      hostHeader: forwardedHost ? 'X-Forwarded-Host' : 'Host',
      protocol: entriesOf(headers['x-forwarded-proto']).at(-1)?.toLowerCase() || protocol,
    };
  };
}

function clientOf(peer: string, forwarded: readonly string[], trusts: Trusts): string {
  let client = peer;
  for (let hop = 1; hop <= MOST_PROXIES; hop += 1) {
    const address = forwardedAddress(forwarded.at(-hop) ?? '');
    if (address === null) return client;
    client = address;
    if (!trusts(client, hop)) return client;
  }
  return client;
}

/** Returns the entries of a header; a header that is sent twice counts as one list. */
function entriesOf(header: string | string[] | undefined): readonly string[] {
  if (header === undefined) return [];
  return String(header)
    .split(',')
    .map((entry) => entry.trim());
}

function trustsOf(trusted: TrustedProxies): Trusts {
  if (typeof trusted === 'number') return (_, hop) => hop < trusted;
  const ranges = trusted.map(ipRange);
  return (address) => {
    const parsed = ipaddr.parse(address);
    return ranges.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
  };
}
