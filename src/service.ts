import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { bootstrap } from './bootstrap.js';
import type { Config } from './config/config.js';
import { listenersOf } from './config/listeners.js';
import { DataPlane } from './data-plane/data-plane.js';
import { DATABASE, type Database } from './database/database.js';
import { startWatchdog } from './health/watchdog.js';
import { HEALTH, type Health } from './http/health/health.js';
import { readDocument } from './http/openapi/docs.js';
import { BaseUrl } from './http/request/base-url.js';
import { createApi } from './http/server/create-api.js';
import { checkPort } from './http/server/port-check.js';
import { Lifecycle, RUNNERS, type Runner, type ServiceHost } from './lifecycle/lifecycle.js';
import type { Logger } from './logging/logger.js';
import { FLUSH_TRACES } from './tracing/start-tracing.js';

/** A running process of Waybill. */
export interface Service {
  /** The address of the API. */
  readonly url: string;
  /** The address of the data-plane API; null where there is none. */
  readonly dataPlaneUrl: string | null;
  /** The application, for tests that need one of its providers. */
  readonly app: NestFastifyApplication;
  /** Stops accepting, finishes what is under way within SHUTDOWN_DEADLINE_MS, closes everything. */
  stop(): Promise<void>;
  /** Sends the last spans, for a process that ends without `stop`; takes two seconds at most, and never fails. */
  flushTraces(): Promise<void>;
}

/**
 * Starts the roles that the settings name. What was opened is closed again when a later step fails.
 * @throws SettingError for a port in use or a store that refuses; the error of the store, the key ring or the port that
 * could not be opened; the reason of `host.stop` when that aborts
 */
export async function startService(config: Config, logger: Logger, host: ServiceHost = {}): Promise<Service> {
  // Before a folder, a key or a database is created.
  await Promise.all(listenersOf(config).map(checkPort));
  const isApi = config.ROLES.includes('api');
  const lifecycle = new Lifecycle(host);
  try {
    const root = AppModule.forRoles(config, logger, lifecycle);
    const app = await createApi(root, config, logger, lifecycle, readDocument);
    if (isApi) await bootstrap(app.get<Database>(DATABASE), config, logger, host.showKey ?? (() => {}));
    host.stop?.throwIfAborted();
    await app.listen(config.PORT, config.HOST);
    const url = app.get(BaseUrl).listening;
    await lifecycle.run(app.get<readonly Runner[]>(RUNNERS));
    const { fail } = host;
    if (fail) {
      const health = app.get<Health>(HEALTH);
      await lifecycle.open(
        'watchdog',
        () => startWatchdog(() => health.stallReason(), fail),
        (end) => end(),
      );
    }
    return {
      url,
      dataPlaneUrl: isApi ? app.get(DataPlane).url : null,
      app,
      stop: () => lifecycle.close(),
      flushTraces: app.get<() => Promise<void>>(FLUSH_TRACES),
    };
  } catch (error) {
    await lifecycle.close().catch((err: unknown) => logger.error({ err }, 'closing after a failed start failed'));
    throw error;
  }
}
