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

/** How long loading blocks the event loop before it yields, in milliseconds. */
const STEP_MS = 4;

const MODULE_PATH = '@datadog/datadog-api-client/dist/packages/datadog-api-client-v2/models/ObjectSerializer.js';

/**
 * Loads the Datadog client once; a failed load is repeated by the next call. Call it only where a destination of this
 * kind exists: the client takes 37 MB of heap and 105 MB of resident memory. Importing two modules by their paths
 * avoids the rest of the package (63 MB and 128 MB).
 *
 * The client has 7,994 modules of models. One import blocks the event loop for 1.3 s on two idle cores, and for 14 s on
 * cores shared by 25 processes, which is about the lease of a batch. They are loaded first, in steps of 4 ms; the
 * serializer that imports them all then takes 35 ms.
 *
 * Measured with version 1.64.0 on Node 20.20, two cores, in a fresh process: `monitorEventLoopDelay`,
 * `performance.now()`, and `process.memoryUsage()` after `gc()`.
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
  const logs = await import('@datadog/datadog-api-client/dist/packages/datadog-api-client-v2/apis/LogsApi.js');
  return {
    LogsApi: logs.LogsApi,
    Configuration,
    BaseServerConfiguration,
    ApiKeyAuthAuthentication,
    ResponseContext,
  };
}

/** Loads the models into Node's module cache, which the import of the serializer uses. */
async function loadModels(): Promise<void> {
  const require = createRequire(import.meta.url);
  const serializer = require.resolve(MODULE_PATH);
  const folder = dirname(serializer);
  let started = performance.now();
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.js') || file === basename(serializer)) continue;
    require(join(folder, file));
    if (performance.now() - started < STEP_MS) continue;
    await yieldToEventLoop();
    started = performance.now();
  }
}
