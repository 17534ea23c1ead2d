import type { FastifyRequest } from 'fastify';

/**
 * Whether a request that changes something comes from a page of ours, or from no page at all (curl, a script: those carry
 * no cookie that they were not given). Browsers say where a request comes from in Sec-Fetch-Site, and over plain http in
 * Origin alone.
 */
export function comesFromHere(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = request.headers;
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === request.host;
}
