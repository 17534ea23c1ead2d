import { propagation, trace } from '@opentelemetry/api';
import type { Config } from '../config/config.js';
import { tokenOf } from '../lifecycle/provide.js';
import type { Logger } from '../logging/logger.js';

/** The injection token of the function that `startTracing` returns. */
export const FLUSH_TRACES = tokenOf<() => Promise<void>>('flushTraces');

/**
 * Registers OpenTelemetry's SDK when an OTLP endpoint is configured. Otherwise the SDK is not loaded, and the calls to
 * `@opentelemetry/api` do nothing unless a preloaded module has registered an SDK. With OTEL_SDK_DISABLED, the calls do
 * nothing in any case. The endpoint may be unreachable.
 * @returns a function that sends the remaining spans, for two seconds at most, and ends tracing; the function never
 * throws
 */
export async function startTracing(config: Config, logger: Logger): Promise<() => Promise<void>> {
  if (config.OTEL_SDK_DISABLED) {
    trace.disable();
    propagation.disable();
    return async () => {};
  }
  const base = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && tracesUrl(base));
  if (url === undefined) return async () => {};
  const { registerOtlpSdk } = await import('./otlp-sdk.js');
  return registerOtlpSdk(url, config, logger);
}

function tracesUrl(base: string): string {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`;
  return url.href;
}
