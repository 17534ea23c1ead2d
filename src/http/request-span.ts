import type { FastifyRequest } from 'fastify';
import type { Span, Tracer } from '../tracing/span.js';

/**
 * Begins the span of a request, as part of the trace that its client names in `traceparent`. Of the address only the route's
 * pattern is told, as in the log.
 */
export function requestSpan(tracer: Tracer, request: FastifyRequest): Span {
  const { method, routeOptions, headers, protocol } = request;
  const parent = headers['traceparent'];
  return tracer.start(`${method} ${routeOptions.url ?? ''}`, {
    kind: 'server',
    parent: typeof parent === 'string' ? parent : undefined,
    attributes: {
      'http.request.method': method,
      'http.route': routeOptions.url,
      'url.scheme': protocol,
      'waybill.operation.id': request.id,
    },
  });
}

/** Ends it. @param status null when the client did not wait for the answer */
export function endRequestSpan(request: FastifyRequest, status: number | null): void {
  const { span, context } = request.operation;
  if (!span) return;
  span.set({
    'http.response.status_code': status ?? undefined,
    'waybill.account.id': context?.accountId,
  });
  if (status === null) span.end('aborted');
  // A 4xx is the client's mistake: the server did what it should.
  else span.end(status >= 500 ? String(status) : undefined);
}
