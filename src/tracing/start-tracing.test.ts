import { trace } from '@opentelemetry/api';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { afterEach, expect, it, vi } from 'vitest';
import { readConfig } from '../config/config.js';
import { createLogger } from '../logging/logger.js';
import { registerOtlpSdk } from './otlp-sdk.js';
import { isTracing } from './span.js';
import { startTracing } from './start-tracing.js';

vi.mock('./otlp-sdk.js', () => ({ registerOtlpSdk: vi.fn<() => void>() }));
afterEach(() => trace.disable());

it.each([
  ['false', true],
  ['true', false],
])('with OTEL_SDK_DISABLED=%s, an SDK that was registered before gets spans: %s', async (disabled, traced) => {
  trace.setGlobalTracerProvider(new TracerProvider());
  await startTracing(readConfig({ OTEL_SDK_DISABLED: disabled }), createLogger('silent'));
  expect(isTracing()).toBe(traced);
});

it.each([
  ['http://localhost:4318', 'http://localhost:4318/v1/traces'],
  ['https://otlp.example.com/a//?tenant=1', 'https://otlp.example.com/a/v1/traces?tenant=1'],
])('with OTEL_EXPORTER_OTLP_ENDPOINT=%s, traces are sent to %s', async (base, url) => {
  await startTracing(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: base }), createLogger('silent'));
  expect(registerOtlpSdk).toHaveBeenLastCalledWith(url, expect.anything(), expect.anything());
});
