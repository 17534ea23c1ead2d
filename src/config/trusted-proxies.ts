import { isIP } from 'node:net';
import { z } from 'zod';
import { ipRange } from './ip-range.js';

/**
 * The proxies whose X-Forwarded-* headers are believed: how many stand in front of the service (0: none), or their
 * addresses and ranges.
 */
export type TrustedProxies = number | readonly string[];

/** Most proxies in front of the service. */
export const MOST_PROXIES = 32;

const EXAMPLES = 'the number of proxies in front of the service, such as 1, or to their addresses, such as 10.0.0.0/8';

/** `false`, a number of proxies, or their addresses and ranges. */
export const trustedProxies = z
  .string()
  .superRefine((value, context) => {
    const error = proxiesError(value);
    if (error !== null) context.addIssue(error);
  })
  .transform((value): TrustedProxies => {
    if (value === 'false') return 0;
    return /^\d+$/.test(value) ? Number(value) : listIn(value);
  })
  .meta({
    values: `\`false\`, a number from 1 to ${MOST_PROXIES}, or IP addresses and ranges such as \`10.0.0.0/8\`, comma-separated`,
  });

/** Returns what is wrong with the setting; null when it is valid. */
function proxiesError(value: string): string | null {
  if (value === 'true') {
    return `TRUST_PROXY is "true", which would believe an address that any client can send. Set it to ${EXAMPLES}.`;
  }
  if (value === 'false' || (/^\d{1,2}$/.test(value) && Number(value) >= 1 && Number(value) <= MOST_PROXIES))
    return null;
  const entries = listIn(value);
  if (entries.some(hasAllAddresses)) {
    return `TRUST_PROXY has a range of all addresses, which would believe every client. Set it to ${EXAMPLES}.`;
  }
  return entries.every((entry) => isPlainAddress(entry) || isRange(entry)) ? null : 'is invalid';
}

function listIn(value: string): readonly string[] {
  return value.split(',').map((entry) => entry.trim());
}

/** Whether an entry is a range of all addresses of IPv4 or IPv6. */
function hasAllAddresses(entry: string): boolean {
  if (/\/0+$/.test(entry)) return isRange(entry.replace(/0+$/, '1'));
  return isRange(entry) && ipRange(entry)[1] === 0;
}

function isPlainAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}

function isRange(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  if (!isPlainAddress(address) || more.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  return Number(bits) >= 1 && Number(bits) <= (isIP(address) === 4 ? 32 : 128);
}
