/** What a span is for; the words are OpenTelemetry's. */
export type SpanKind = 'internal' | 'server' | 'producer' | 'consumer' | 'client';

/** What is known of a span, named as in the semantic conventions where they have a name. Never secrets, never payloads. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** How a span begins. */
export interface SpanOptions {
  /** `internal` unless given. */
  readonly kind?: SpanKind;
  readonly attributes?: SpanAttributes;
  /** `traceparent` of spans of other traces that it follows from; at most 128 of them are kept. */
  readonly links?: readonly string[];
  /** When it began, in milliseconds since the epoch; now unless given. */
  readonly startedAt?: number;
}

/** A step of a trace. */
export interface Span {
  /** Thirty-two hexadecimal digits, for log lines. */
  readonly traceId: string;
  /** By which steps elsewhere refer to it: https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceParent: string;
  child(name: string, options?: SpanOptions): Span;
  set(attributes: SpanAttributes): void;
  /**
   * Ends it; later calls do nothing.
   * @param error a stable code of what went wrong; absent when nothing did
   * @param at when it ended, in milliseconds since the epoch; now unless given
   */
  end(error?: string, at?: number): void;
}

/** Makes spans and sends them on. */
export interface Tracer {
  /** @param options.parent `traceparent` of the step that it is a part of; one that cannot be read counts as none */
  start(name: string, options?: SpanOptions & { readonly parent?: string | undefined }): Span;
  /** Sends what is left, for at most so many milliseconds. Never throws. */
  stop(withinMs: number): Promise<void>;
}

/** Does `work` as a step of `parent`; without one, just does it. */
export async function withSpan<T>(
  parent: Span | undefined,
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const span = parent?.child(name, options);
  try {
    const result = await work(span);
    span?.end();
    return result;
  } catch (error) {
    span?.end(errorType(error));
    throw error;
  }
}

/** The code of an error, else its name: its message may hold anything. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
