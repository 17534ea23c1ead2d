import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type * as common from '@datadog/datadog-api-client/dist/packages/datadog-api-client-common/index.js';
import type { LogsApi } from '@datadog/datadog-api-client/dist/packages/datadog-api-client-v2/apis/LogsApi.js';

/** The parts of the Datadog client that are used. */
export interface DatadogSdk {
  readonly LogsApi: typeof LogsApi;
  readonly Configuration: typeof common.Configuration;
  readonly BaseServerConfiguration: typeof common.BaseServerConfiguration;
  readonly ApiKeyAuthAuthentication: typeof common.ApiKeyAuthAuthentication;
  readonly ResponseContext: typeof common.ResponseContext;
}

let loading: Promise<DatadogSdk> | undefined;

/** How long the loading keeps the event loop before it lets others have it, in milliseconds. */
const STEP_MS = 4;

const MODULE_PATH =
  '@datadog/datadog-api-client/dist/packages/datadog-api-client-v2/models/ObjectSerializer.js';

/**
 * Loads the Datadog client, once, and again where that failed. Not before there is a destination of this kind: it takes 37 MB of
 * heap and 105 MB of resident memory (the whole package: 63 MB and 128 MB), which a process that sends nothing to Datadog does
 * not pay. So the two modules are imported by their paths, and from nowhere else.
 *
 * What takes its time are the 7,994 small modules of its models, which one import would load at a stretch: 1.3 s without the
 * event loop on two idle cores, and 14 s on cores that 25 processes share, about the lease of a batch. They are loaded first, in
 * steps, which keep the loop for 4 ms each; the serializer that needs them all then takes 35 ms.
 *
 * Measured with version 1.64.0 on Node 20.20, two cores: `monitorEventLoopDelay` and `performance.now()` around it in a fresh
 * process, `process.memoryUsage()` before and after it with `gc()` (`node --expose-gc`).
 */
export function loadSdk(): Promise<DatadogSdk> {
  loading ??= importSdk().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function importSdk(): Promise<DatadogSdk> {
  const { Configuration, BaseServerConfiguration, ApiKeyAuthAuthentication, ResponseContext } =
    await import('@datadog/datadog-api-client/dist/packages/datadog-api-client-common/index.js');
  await loadModels();
  const logs =
    await import('@datadog/datadog-api-client/dist/packages/datadog-api-client-v2/apis/LogsApi.js');
  return {
    LogsApi: logs.LogsApi,
    Configuration,
    BaseServerConfiguration,
    ApiKeyAuthAuthentication,
    ResponseContext,
  };
}

/** Puts the models into Node's cache of modules, where the import of the serializer finds them. */
async function loadModels(): Promise<void> {
  const require = createRequire(import.meta.url);
  const serializer = require.resolve(MODULE_PATH);
  const folder = dirname(serializer);
  let begun = performance.now();
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.js') || file === basename(serializer)) continue;
    require(join(folder, file));
    if (performance.now() - begun < STEP_MS) continue;
    await yieldToEventLoop();
    begun = performance.now();
  }
}
