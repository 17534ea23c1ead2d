import { ROOT_CONTEXT, SpanKind, type Span } from '@opentelemetry/api';
import type { FastifyRequest } from 'fastify';
import { contextOf, endSpan, isTracing, startSpan } from '../../tracing/span.js';

/**
 * Starts the span of a request, in the trace that the client names in `traceparent`. The span has the route's pattern
 * instead of the address, as the log does. Returns undefined when no SDK is registered.
 */
export function startRequestSpan(request: FastifyRequest): Span | undefined {
  if (!isTracing()) return undefined;
  const { method, routeOptions, headers, state } = request;
  return startSpan(
    `${method} ${routeOptions.url ?? ''}`,
    {
      kind: SpanKind.SERVER,
      attributes: {
        'http.request.method': method,
        'http.route': routeOptions.url,
        'url.scheme': state.origin.protocol,
        'waybill.operation.id': request.id,
      },
    },
    typeof headers.traceparent === 'string' ? contextOf(headers.traceparent) : ROOT_CONTEXT,
  );
}

/**
 * Ends the span of a request.
 * @param status null when the client closed the connection before the response
 */
export function endRequestSpan(request: FastifyRequest, status: number | null): void {
  const { span, context } = request.state;
  if (!span) return;
  if (context) span.setAttribute('waybill.account.id', context.accountId);
  if (status === null) return endSpan(span, 'aborted');
  span.setAttribute('http.response.status_code', status);
  // A 4xx is the client's mistake and no failure of the server.
  endSpan(span, status >= 500 ? String(status) : undefined);
}
