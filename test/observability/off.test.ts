import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compileFolders } from '../support/compiled-sources.js';

let folder = '';
beforeAll(async () => {
  folder = await compileFolders('src');
  // Opens the meter and the tracer as the service does, after everything that it is made of has been imported.
  await writeFile(
    path.join(folder, 'probe.js'),
    `import 'reflect-metadata';
import { createRequire } from 'node:module';
import { readConfig } from './src/config/config.js';
import { openMetrics } from './src/observability/open-metrics.js';
import './src/service.js';
import { openTracer } from './src/tracing/open-tracer.js';

const config = readConfig(process.env);
const quiet = { child: () => quiet };
const opened = [await openTracer(config, quiet), await openMetrics(config, {})].map((part) => part !== null);
const loaded = Object.keys(createRequire(import.meta.url).cache)
  .map((file) => /node_modules\\/(@opentelemetry\\/[^/]+|prom-client)\\//.exec(file)?.[1])
  .filter((name) => name !== undefined);
process.stdout.write(JSON.stringify({ opened, loaded: [...new Set(loaded)].toSorted() }));
process.exit();
`,
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function probe(settings: Readonly<Record<string, string>>): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(folder, 'probe.js')], {
    env: { PATH: process.env.PATH, ...settings },
  });
  return JSON.parse(stdout);
}

it('loads no meter and nothing of OpenTelemetry unless it is asked for', async () => {
  const disabled = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' };
  expect(await probe(disabled)).toEqual({ opened: [false, false], loaded: [] });
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
    METRICS_TOKEN: 'a-token-for-the-metrics',
  };
  const loaded = ['@opentelemetry/exporter-trace-otlp-proto', '@opentelemetry/sdk-trace', 'prom-client'];
  expect(await probe(settings)).toMatchObject({
    opened: [true, true],
    loaded: expect.arrayContaining(loaded),
  });
}, 90_000);
