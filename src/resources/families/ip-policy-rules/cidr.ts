import ipaddr from 'ipaddr.js';
import { z } from 'zod';

const form = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()]);

/** The network that a range in CIDR notation stands for, written the same way; undefined where it is not such a range. */
function networkOf(range: string): string | undefined {
  const [address, length] = range.split('/');
  if (address === undefined || length === undefined) return undefined;
  const network = ipaddr.IPv4.isValid(address)
    ? ipaddr.IPv4.networkAddressFromCIDR(range)
    : ipaddr.IPv6.networkAddressFromCIDR(range);
  return ipaddr.parse(address).toString() === network.toString() ? range : `${network.toString()}/${length}`;
}

/**
 * An IP address, or a range in CIDR notation, of IPv4 or IPv6. A range with bits set behind its prefix is refused: in a rule that
 * decides who may enter, it is more likely a slip than a wish.
 */
export const cidr = z
  .string()
  .max(64)
  .superRefine((value, context) => {
    if (!form.safeParse(value).success) {
      context.addIssue({
        code: 'custom',
        message: 'must be an IPv4 or IPv6 address or a range in CIDR notation',
      });
      return;
    }
    const network = networkOf(value);
    if (network !== undefined && network !== value) {
      context.addIssue({
        code: 'custom',
        message: `has bits set behind its prefix: the range is ${network}`,
      });
    }
  })
  .meta({
    description: 'An IP address or a range in CIDR notation, IPv4 or IPv6.',
    example: '203.0.113.0/24',
  });
