import {
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type SpanOptions,
} from '@opentelemetry/api';

/** Starts a span. Returns undefined when no SDK is registered, so that callers can skip the work for child spans. */
export function startSpan(
  name: string,
  options: SpanOptions,
  parent: Context = ROOT_CONTEXT,
): Span | undefined {
  const span = trace.getTracer('waybill').startSpan(name, options, parent);
  return isSpanContextValid(span.spanContext()) ? span : undefined;
}

/** Starts a child span. */
export function startChild(parent: Span, name: string, options: SpanOptions): Span | undefined {
  return startSpan(name, options, trace.setSpan(ROOT_CONTEXT, parent));
}

/**
 * Ends a span. An ended span ignores further calls.
 * @param error the stable code of a failure
 * @param at milliseconds since the epoch; the current time when absent
 */
export function endSpan(span: Span, error?: string, at?: number): void {
  if (error !== undefined) {
    span.setAttribute('error.type', error);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end(at);
}

/** Runs `work` in a child span of `parent`. Without a parent, only runs `work`. */
export async function withSpan<T>(
  parent: Span | undefined,
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const span = parent && startChild(parent, name, options);
  if (!span) return work(undefined);
  try {
    const result = await work(span);
    endSpan(span);
    return result;
  } catch (error) {
    endSpan(span, errorType(error));
    throw error;
  }
}

/** Returns the `traceparent` of a span (https://www.w3.org/TR/trace-context/#traceparent-header); null without a span. */
export function traceParentOf(span: Span | undefined): string | null {
  if (!span) return null;
  const carrier: { traceparent?: string } = {};
  propagation.inject(trace.setSpan(ROOT_CONTEXT, span), carrier);
  return carrier.traceparent ?? null;
}

/** Returns the context that a `traceparent` names; the root context when the value is invalid or no SDK is registered. */
export function contextOf(traceParent: string): Context {
  return propagation.extract(ROOT_CONTEXT, { traceparent: traceParent });
}

/** Returns the code of an error, otherwise its name. The message may hold secrets. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
