import type { Config } from '../../config/config.js';
import { Problem } from '../../problems/problem.js';
import type { RequestOrigin } from './request-origin.js';

/** A name, an IPv4 address or a bracketed IPv6 address, with an optional port. */
const hostPattern = /^(?:[a-z0-9](?:[a-z0-9_.-]{0,251}[a-z0-9])?\.?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * Returns the base of every `uri`: PUBLIC_URL, else the origin of the request.
 * @throws Problem `host_invalid` or `forwarded_proto_invalid`, so that an invalid header never reaches a response or an
 * event
 */
export function baseUrlOf({ host, hostHeader, protocol }: RequestOrigin, config: Pick<Config, 'PUBLIC_URL'>): string {
  if (config.PUBLIC_URL !== undefined) return config.PUBLIC_URL;
  if (!hostPattern.test(host)) {
    const detail = `The ${hostHeader} header is not a host name with an optional port.`;
    throw new Problem('host_invalid', detail);
  }
  if (!/^https?$/.test(protocol)) {
    throw new Problem('forwarded_proto_invalid', 'The X-Forwarded-Proto header is not http or https.');
  }
  return `${protocol}://${host}`;
}
