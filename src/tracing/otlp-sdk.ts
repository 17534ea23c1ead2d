import { propagation, trace } from '@opentelemetry/api';
import { ExportResultCode, parseKeyPairsIntoRecord, W3CTraceContextPropagator } from '@opentelemetry/core';
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
import { MAX_LINKS } from './span.js';

/** Limit for one export, including its retries. */
const EXPORT_TIMEOUT_MS = 5_000;

/** Limit for sending the remaining spans at shutdown. */
const SHUTDOWN_TIMEOUT_MS = 2_000;

/** Minimum time between two log lines about failed exports. */
const WARNING_INTERVAL_MS = 60_000;

/**
 * Registers an SDK that sends spans to an OTLP/HTTP endpoint in batches. Spans that cannot be sent are dropped, and so
 * are new spans while 2,048 spans wait.
 * @returns what `startTracing` returns
 */
export async function registerOtlpSdk(url: string, config: Config, logger: Logger): Promise<() => Promise<void>> {
  const { OTLPTraceExporter } =
    config.OTEL_EXPORTER_OTLP_PROTOCOL === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  const headers = parseKeyPairsIntoRecord(config.OTEL_EXPORTER_OTLP_HEADERS);
  const exporter = withRareWarnings(
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
    spanLimits: { attributeValueLengthLimit: 512, linkCountLimit: MAX_LINKS },
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY })],
  });
  // False when a preloaded module has registered its own SDK. That one is kept, and this provider gets no spans.
  const isRegistered = trace.setGlobalTracerProvider(provider);
  if (isRegistered) propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  else logger.warn('another OpenTelemetry SDK is registered: its settings apply, the OTEL_* settings do not');
  let ended: Promise<void> | undefined;
  return async () => {
    if (isRegistered && !ended) {
      trace.disable();
      propagation.disable();
    }
    ended ??= provider.shutdown().catch(() => undefined);
    await withTimeout(ended, SHUTDOWN_TIMEOUT_MS);
  };
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

/** Wraps an exporter to log failures rarely, and without the collector's response: it may repeat what was sent. */
function withRareWarnings(exporter: SpanExporter, logger: Logger): SpanExporter {
  let warnedAt = -Infinity;
  let dropped = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code !== ExportResultCode.SUCCESS) {
          dropped += spans.length;
          const now = performance.now();
          if (now - warnedAt >= WARNING_INTERVAL_MS) {
            logger.warn({ spans: dropped }, 'traces could not be exported and were dropped');
            warnedAt = now;
            dropped = 0;
          }
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
