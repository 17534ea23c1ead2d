import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/config.js';
import { Problem } from '../problems/problem.js';

/** A name, an IPv4 or a bracketed IPv6 address, and maybe a port. */
const hostPattern = /^(?:[a-z0-9](?:[a-z0-9_.-]{0,251}[a-z0-9])?\.?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * Base of every `uri`: PUBLIC_URL, else the origin that the client used (with TRUST_PROXY as the proxy tells it).
 * @throws Problem `invalid` when the Host header is no host, so that it never gets into an answer or an event.
 */
export function baseUrlOf(request: FastifyRequest, config: Pick<Config, 'PUBLIC_URL'>): string {
  if (config.PUBLIC_URL !== undefined) return config.PUBLIC_URL;
  const { host, protocol } = request;
  if (!hostPattern.test(host) || !/^https?$/.test(protocol)) {
    throw new Problem(
      'invalid',
      'host_invalid',
      'The Host header of the request is not a host name with an optional port.',
    );
  }
  return `${protocol}://${host}`;
}
