import type { Config } from '../config/config.js';
import type { Logger } from '../logging/logger.js';
import type { Tracer } from './span.js';

/**
 * Opens the tracer when an OTLP endpoint is configured. Null otherwise, and then nothing of OpenTelemetry's SDK is loaded.
 * The endpoint need not be there, now or later.
 */
export async function openTracer(config: Config, logger: Logger): Promise<Tracer | null> {
  const base = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`);
  if (url === undefined || config.OTEL_SDK_DISABLED) return null;
  const { openOtlpTracer } = await import('./otlp-tracer.js');
  return openOtlpTracer(url, config, logger);
}
