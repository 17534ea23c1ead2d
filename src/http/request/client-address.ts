import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Longest IP address with brackets and a port, in characters. */
const LONGEST_ADDRESS = 54;

/**
 * Returns an IP address in its usual form, without the zone of an interface. An IPv4 address within IPv6 becomes IPv4.
 * Null when the text is not an address.
 */
export function canonicalAddress(text: string): string | null {
  const [address = ''] = text.split('%', 1);
  return isIP(address) === 0 ? null : ipaddr.process(address).toString();
}

/**
 * Returns the address in one entry of X-Forwarded-For. Some proxies add a port, and brackets around IPv6.
 * Null when the entry is not an address.
 */
export function forwardedAddress(entry: string): string | null {
  const text = entry.trim();
  if (text.length > LONGEST_ADDRESS || text.includes('%')) return null;
  const [, bracketed, dotted] = /^(?:\[([0-9a-f:.]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/i.exec(text) ?? [];
  return canonicalAddress(bracketed ?? dotted ?? text);
}

/**
 * Returns the network that throttles count: an IPv4 address itself, and the /64 of an IPv6 address, which one customer
 * has.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return parsed.toNormalizedString().split(':').slice(0, 4).join(':');
}
