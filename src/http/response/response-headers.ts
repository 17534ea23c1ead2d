import type { FastifyInstance } from 'fastify';
import type { HttpResponse } from '../request/request-context.js';
import { Versioned } from './etag.js';

/** Returns the headers of a response: ETag, and Location (the `uri` of the body) for a 201. */
export function responseHeaders({ status, body, etag }: HttpResponse): Record<string, string> {
  const headers: Record<string, string> = {};
  if (etag !== undefined) headers['etag'] = etag;
  if (status === 201 && typeof body === 'object' && body !== null && 'uri' in body && typeof body.uri === 'string') {
    headers['location'] = body.uri;
  }
  return headers;
}

/**
 * Takes the body out of the `Versioned` that a handler returns, and sets the headers of the response. This is a hook of
 * Fastify: an interceptor of Nest makes several Observables for each request.
 */
export function addResponseHeaders(fastify: FastifyInstance): void {
  fastify.addHook('preSerialization', (_request, reply, value: unknown, done) => {
    const status = reply.statusCode;
    const response =
      value instanceof Versioned ? { status, body: value.body, etag: value.etag } : { status, body: value };
    reply.headers(responseHeaders(response));
    done(null, response.body);
  });
}
