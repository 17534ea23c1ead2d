import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';

/** Opens metrics and tracing as the service does, after everything that the service imports is loaded. */
const PROBE = `
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { readConfig } from './src/config/config.js';
import { openMetrics } from './src/observability/open-metrics.js';
import './src/service.js';
import { startTracing } from './src/tracing/start-tracing.js';

const config = readConfig(process.env);
const quiet = { child: () => quiet };
await startTracing(config, quiet);
const metrics = (await openMetrics(config, {})) !== null;
const loaded = Object.keys(createRequire(import.meta.url).cache)
  .map((file) => /node_modules\\/(@opentelemetry\\/[^/]+|prom-client)\\//.exec(file)?.[1])
  .filter((name) => name !== undefined);
process.stdout.write(JSON.stringify({ metrics, loaded: [...new Set(loaded)].toSorted() }));
process.exit();
`;

async function probe(settings: Readonly<Record<string, string>>): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROBE], {
    cwd: inject('compiledProject'),
    env: { PATH: process.env.PATH, ...settings },
  });
  return JSON.parse(stdout);
}

it('loads neither the metrics library nor the OpenTelemetry SDK unless they are configured', async () => {
  const disabled = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' };
  expect(await probe(disabled)).toEqual({ metrics: false, loaded: ['@opentelemetry/api'] });
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
    METRICS_TOKEN: 'a-token-for-the-metrics',
  };
  const loaded = ['@opentelemetry/exporter-trace-otlp-proto', '@opentelemetry/sdk-trace', 'prom-client'];
  expect(await probe(settings)).toMatchObject({
    metrics: true,
    loaded: expect.arrayContaining(loaded),
  });
});
