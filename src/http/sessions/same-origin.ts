import type { FastifyRequest } from 'fastify';
import { Problem } from '../../problems/problem.js';

/**
 * Whether a request comes from a page of this origin or from no page (curl and scripts, which send no cookies of a
 * browser). Browsers send Sec-Fetch-Site; over plain HTTP they send only Origin.
 * @param protocol the scheme that browsers use
 */
export function isSameOrigin(request: FastifyRequest, protocol: string): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = request.headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  return from.host === request.state.origin.host && from.protocol === `${protocol}:`;
}

/** Whether a request may change something. */
export function isWrite({ method }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** Returns the problem of a change that a page of another origin asks for. */
export function crossOrigin(): Problem {
  return new Problem(
    'cross_origin',
    'The request comes from a page of another site. Send it from a page of this service.',
  );
}
