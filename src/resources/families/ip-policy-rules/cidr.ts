import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { boundedString } from '../../../bounds/bounded.js';
import { ipRange } from '../../../config/ip-range.js';

const form = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()]);

/**
 * The network of a range in CIDR notation, in the same notation. Undefined for an address without a prefix.
 */
function networkOf(range: string): string | undefined {
  const [address, length] = range.split('/');
  if (address === undefined || length === undefined) return undefined;
  const network = ipaddr.IPv4.isValid(address)
    ? ipaddr.IPv4.networkAddressFromCIDR(range)
    : ipaddr.IPv6.networkAddressFromCIDR(range);
  return ipaddr.parse(address).toString() === network.toString() ? range : `${network.toString()}/${length}`;
}

/**
 * An IP address or a range in CIDR notation, IPv4 or IPv6. A range with host bits set is refused: in an access rule, it
 * is more likely a mistake.
 */
export const cidr = boundedString(64)
  .superRefine((value, context) => {
    if (!form.safeParse(value).success) {
      context.addIssue({
        code: 'custom',
        message: 'must be an IPv4 or IPv6 address or a range in CIDR notation',
      });
      return;
    }
    const [address, bits] = ipRange(value);
    if (value.includes(':') && address.kind() === 'ipv4') {
      // A data plane sees such clients with their IPv4 address: the rule would match none of them.
      const ipv4 = `${address.toString()}${value.includes('/') ? `/${bits}` : ''}`;
      context.addIssue({ code: 'custom', message: `is IPv4 in the notation of IPv6: write ${ipv4}` });
      return;
    }
    const network = networkOf(value);
    if (network !== undefined && network !== value) {
      context.addIssue({
        code: 'custom',
        message: `has host bits set: the range is ${network}`,
      });
    }
  })
  .meta({
    description: 'An IP address or a range in CIDR notation, IPv4 or IPv6.',
    example: '203.0.113.0/24',
  });
