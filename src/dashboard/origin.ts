import type { FastifyRequest } from 'fastify';

/**
 * Whether a request comes from a page of this origin or from no page (curl and scripts, which send no cookies of a
 * browser). Browsers send Sec-Fetch-Site; over plain HTTP they send only Origin.
 */
export function isSameOrigin(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = request.headers;
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === request.state.origin.host;
}
