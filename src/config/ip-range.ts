import ipaddr from 'ipaddr.js';

/** A range of addresses: its first address, and the length of its prefix in bits. */
export type IpRange = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/** Bits of the prefix of IPv4 addresses within IPv6: ::ffff:0:0/96. */
const MAPPED_BITS = 96;

/**
 * Parses an address or a range in CIDR notation. A range of IPv4 addresses in the notation of IPv6, such as
 * ::ffff:10.0.0.0/104, is the range of IPv4, as addresses are compared.
 * @throws Error when the text is neither
 */
export function ipRange(text: string): IpRange {
  const [address = '', length] = text.split('/');
  const parsed = ipaddr.parse(address);
  const most = parsed.kind() === 'ipv4' ? 32 : 128;
  const bits = length === undefined ? most : Number(length);
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && bits >= MAPPED_BITS) {
    return [parsed.toIPv4Address(), bits - MAPPED_BITS];
  }
  return [parsed, bits];
}
