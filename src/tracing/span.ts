import {
  propagation,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type SpanOptions,
} from '@opentelemetry/api';

const TRACER = 'waybill';

/** Most links of a span. */
export const MAX_LINKS = 128;

/** Returns whether an SDK is registered. Without one every span is a no-op, and the work for it can be skipped. */
export function isTracing(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(TRACER) !== undefined;
}

/** Starts a span, as a root span unless a parent is given. */
export function startSpan(name: string, options: SpanOptions, parent: Context = ROOT_CONTEXT): Span {
  return trace.getTracer(TRACER).startSpan(name, options, parent);
}

/** Starts a child span. */
export function startChild(parent: Span, name: string, options: SpanOptions): Span {
  return startSpan(name, options, trace.setSpan(ROOT_CONTEXT, parent));
}

/**
 * Ends a span. An ended span ignores further calls.
 * @param error the stable code of a failure
 * @param at milliseconds since the epoch; the current time when absent
 */
export function endSpan(span: Span, error?: string, at?: number): void {
  // The SDK reports each call on an ended span, with a stack.
  if (!span.isRecording()) return;
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
  if (!parent) return work(undefined);
  const span = startChild(parent, name, options);
  try {
    const result = await work(span);
    endSpan(span);
    return result;
  } catch (error) {
    endSpan(span, errorType(error));
    throw error;
  }
}

/**
 * Returns the `traceparent` of a span (https://www.w3.org/TR/trace-context/#traceparent-header); null without a span.
 */
export function traceParentOf(span: Span | undefined): string | null {
  if (!span) return null;
  const carrier: { traceparent?: string } = {};
  propagation.inject(trace.setSpan(ROOT_CONTEXT, span), carrier);
  return carrier.traceparent ?? null;
}

/**
 * Returns the context that a `traceparent` names; the root context when the value is invalid or no SDK is registered.
 */
export function contextOf(traceParent: string): Context {
  return propagation.extract(ROOT_CONTEXT, { traceparent: traceParent });
}

/** Returns the code of an error, otherwise its name. The message may hold secrets. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
