import {
  ROOT_CONTEXT,
  SpanKind as OtelKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as OtelSpan,
  type SpanContext,
  type Tracer as OtelTracer,
} from '@opentelemetry/api';
import { ExportResultCode, parseKeyPairsIntoRecord, parseTraceParent } from '@opentelemetry/core';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import type { Config } from '../config/config.js';
import type { Logger } from '../logging/logger.js';
import { withTimeout } from '../timing/with-timeout.js';
import type { Span, SpanAttributes, SpanKind, SpanOptions, Tracer } from './span.js';

/** Most links of one span: what the SDK keeps by default, and collectors take. */
export const MAX_LINKS = 128;

/** Longest that one export may take, its repeats included, in milliseconds. */
const EXPORT_TIMEOUT_MS = 5_000;

/** Least time between two log lines about exports that fail, in milliseconds. */
const QUIET_MS = 60_000;

const kinds: Readonly<Record<SpanKind, OtelKind>> = {
  internal: OtelKind.INTERNAL,
  server: OtelKind.SERVER,
  producer: OtelKind.PRODUCER,
  consumer: OtelKind.CONSUMER,
  client: OtelKind.CLIENT,
};

/**
 * Sends spans to an OTLP/HTTP endpoint, in the background and in batches. What cannot be sent, or is more than 2,048 spans
 * ahead of the endpoint, is dropped: nothing waits for it. Uses no global of OpenTelemetry's.
 */
export async function openOtlpTracer(url: string, config: Config, logger: Logger): Promise<Tracer> {
  const { OTLPTraceExporter } =
    config.OTEL_EXPORTER_OTLP_PROTOCOL === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  const headers = parseKeyPairsIntoRecord(config.OTEL_EXPORTER_OTLP_HEADERS);
  const exporter = quietly(
    new OTLPTraceExporter({ url, headers, timeoutMillis: EXPORT_TIMEOUT_MS }),
    logger.child({ url: new URL(url).origin }),
  );
  const provider = new TracerProvider({
    sampler: samplerOf(config),
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.instance.id': config.INSTANCE_NAME,
        ...parseKeyPairsIntoRecord(config.OTEL_RESOURCE_ATTRIBUTES),
        'service.name': config.OTEL_SERVICE_NAME,
      }),
    ),
    spanLimits: { linkCountLimit: MAX_LINKS, attributeValueLengthLimit: 512 },
    spanProcessors: [
      new BatchSpanProcessor({ exporter, scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY }),
    ],
  });
  const tracer = provider.getTracer('waybill');
  return {
    start: (name, { parent, ...options } = {}) => new OtlpSpan(tracer, name, contextOf(parent), options),
    async stop(withinMs) {
      const ended = provider.shutdown().catch(() => undefined);
      await withTimeout(ended, withinMs);
    },
  };
}

class OtlpSpan implements Span {
  private readonly span: OtelSpan;
  private readonly context: Context;
  private ended = false;

  constructor(
    private readonly tracer: OtelTracer,
    name: string,
    parent: Context,
    options: SpanOptions,
  ) {
    const { kind = 'internal', attributes = {}, links = [], startedAt } = options;
    this.span = tracer.startSpan(
      name,
      {
        kind: kinds[kind],
        attributes: known(attributes),
        links: links.slice(0, MAX_LINKS).flatMap((link) => {
          const context = remote(link);
          return context ? [{ context }] : [];
        }),
        ...(startedAt !== undefined && { startTime: startedAt }),
      },
      parent,
    );
    this.context = trace.setSpan(parent, this.span);
  }

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  get traceParent(): string {
    const { traceId, spanId, traceFlags } = this.span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  }

  child(name: string, options: SpanOptions = {}): Span {
    return new OtlpSpan(this.tracer, name, this.context, options);
  }

  set(attributes: SpanAttributes): void {
    if (!this.ended) this.span.setAttributes(known(attributes));
  }

  end(error?: string, at?: number): void {
    if (this.ended) return;
    this.ended = true;
    if (error !== undefined) {
      this.span.setAttribute('error.type', error);
      this.span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.span.end(at);
  }
}

function known(attributes: SpanAttributes): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function remote(traceParent: string): SpanContext | null {
  const context = parseTraceParent(traceParent);
  return context && { ...context, isRemote: true };
}

function contextOf(traceParent: string | undefined): Context {
  const context = traceParent === undefined ? null : remote(traceParent);
  return context ? trace.setSpanContext(ROOT_CONTEXT, context) : ROOT_CONTEXT;
}

/** https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration */
function samplerOf(config: Pick<Config, 'OTEL_TRACES_SAMPLER' | 'OTEL_TRACES_SAMPLER_ARG'>): Sampler {
  const ratio = () => new TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG);
  switch (config.OTEL_TRACES_SAMPLER) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return ratio();
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: ratio() });
  }
}

/** The same exporter, which says now and then that it fails, and nothing else: an answer may hold what was sent. */
function quietly(exporter: SpanExporter, logger: Logger): SpanExporter {
  let saidAt = -Infinity;
  let lost = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code !== ExportResultCode.SUCCESS) {
          lost += spans.length;
          const now = performance.now();
          if (now - saidAt >= QUIET_MS) {
            logger.warn({ spans: lost }, 'traces could not be exported and were dropped');
            saidAt = now;
            lost = 0;
          }
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
