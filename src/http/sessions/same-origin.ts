import type { FastifyRequest } from 'fastify';
import { Problem } from '../../problems/problem.js';

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
