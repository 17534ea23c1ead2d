import { trace } from '@opentelemetry/api';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { afterEach, expect, it } from 'vitest';
import { readConfig } from '../config/config.js';
import { createLogger } from '../logging/logger.js';
import { isTracing } from './span.js';
import { startTracing } from './start-tracing.js';

afterEach(() => trace.disable());

it.each([
  ['false', true],
  ['true', false],
])('with OTEL_SDK_DISABLED=%s, an SDK that was registered before gets spans: %s', async (disabled, traced) => {
  trace.setGlobalTracerProvider(new TracerProvider());
  await startTracing(readConfig({ OTEL_SDK_DISABLED: disabled }), createLogger('silent'));
  expect(isTracing()).toBe(traced);
});
