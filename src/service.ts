import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { sql } from 'kysely';
import { Authenticator } from './accounts/authenticator.js';
import { bootstrap } from './accounts/bootstrap.js';
import { TokenStore } from './accounts/token-store.js';
import { ApiModule } from './api.module.js';
import { CertificateJobs } from './certificates/certificate-jobs.js';
import { CertificateReports } from './certificates/certificate-reports.js';
import { startCertificateWorker, type CertificateWorker } from './certificates/certificate-worker.js';
import type { Config } from './config/config.js';
import { registerDashboard } from './dashboard/dashboard.js';
import { startDataPlane, type DataPlane } from './data-plane/data-plane.js';
import { openStore, type Store } from './database/store.js';
import { Dispatcher } from './delivery/dispatch/dispatcher.js';
import { LaneStore } from './delivery/lanes/lane-store.js';
import { LaneTotalsStore } from './delivery/views/lane-totals-store.js';
import { openQueues, type Queues } from './delivery/queues/queues.js';
import { startWorker, type DeliveryWorker } from './delivery/worker.js';
import { EventRecorder } from './events/event-recorder.js';
import { createApi } from './http/create-api.js';
import type { Health } from './http/http-services.js';
import { idempotencyPruning } from './http/idempotency/idempotency-pruning.js';
import type { Logger } from './logging/logger.js';
import { Maintenance } from './maintenance/maintenance.js';
import { MaintenanceTaskStore } from './maintenance/task-store.js';
import { addMetricsRoute } from './observability/metrics-route.js';
import { openMetrics } from './observability/open-metrics.js';
import { combineObservers } from './observability/combine-observers.js';
import { tracedDeliveries } from './observability/traced-deliveries.js';
import { ManagedCertificates } from './resources/managed-certificates/managed-certificates.js';
import { openKeyRing, type OpenKeyRing } from './secrets/open-key-ring.js';
import { SecretStore } from './secrets/secret-store.js';
import { targetLimits, targetOf } from './targets/registry.js';
import { isTracing } from './tracing/span.js';
import { startTracing } from './tracing/start-tracing.js';
import { startWatchdog } from './health/watchdog.js';
import { WorkerModule } from './worker.module.js';

/** A running process of Waybill. */
export interface Service {
  /** Where it listens. */
  readonly url: string;
  /** Where its internal interface listens; null where there is none. */
  readonly dataPlaneUrl: string | null;
  /** Stops accepting, finishes what is under way within SHUTDOWN_DEADLINE_MS, closes everything. */
  stop(): Promise<void>;
  /** Sends the last spans, for a process that ends without `stop`; takes two seconds at most, and never fails. */
  flushTraces(): Promise<void>;
}

/** What a service says to the process that it runs in. */
export interface ServiceHost {
  /** Aborts when the process is asked to stop: a start that is under way ends soon after, and what was opened is closed. */
  readonly stop?: AbortSignal;
  /** Called when the service cannot go on by itself; the process has to end, and whoever watches it to start it again. */
  readonly fail?: (error: Error) => void;
}

/** What is open once the stores are. */
interface Opened {
  readonly config: Config;
  readonly logger: Logger;
  readonly store: Store;
  readonly keys: OpenKeyRing;
  readonly queues: Queues;
}

/** What works in the background. */
interface Running {
  readonly worker: DeliveryWorker | null;
  readonly certificates: CertificateWorker | null;
  readonly maintenance: Maintenance;
  readonly dispatcher: Dispatcher;
  readonly jobs: CertificateJobs;
  readonly stopTracing: () => Promise<void>;
}

/**
 * Starts the roles that the settings name, stores first. What was opened is closed again when a later step fails.
 * @param showKey is given the API key that the very first start makes; nobody sees it again
 * @throws the error of the store, the key ring or the port that could not be opened; the reason of `host.stop` when that aborts
 */
export async function startService(
  config: Config,
  logger: Logger,
  showKey: (token: string) => void,
  host: ServiceHost = {},
): Promise<Service> {
  const store = await openStore(config, logger, host);
  try {
    host.stop?.throwIfAborted();
    const keys = await openKeyRing(config, store, logger);
    try {
      if (config.ROLES.includes('api')) await bootstrap(store.db, config, logger, showKey);
      const queues = await openQueues(config, store, logger);
      try {
        host.stop?.throwIfAborted();
        return await startRoles({ config, logger, store, keys, queues }, host);
      } catch (error) {
        await queues.close();
        throw error;
      }
    } catch (error) {
      await keys.close();
      throw error;
    }
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function startRoles(opened: Opened, host: ServiceHost): Promise<Service> {
  const stopTracing = await startTracing(opened.config, opened.logger);
  try {
    return await startTraced(opened, stopTracing, host);
  } catch (error) {
    await stopTracing();
    throw error;
  }
}

async function startTraced(
  opened: Opened,
  stopTracing: () => Promise<void>,
  { fail }: ServiceHost,
): Promise<Service> {
  const { config, logger, store, keys, queues } = opened;
  const lanes = new LaneStore(store.db, targetLimits);
  const metrics = await openMetrics(config, {
    queues,
    lanes: new LaneTotalsStore(store.db),
    workerIsAlive: () => worker && worker.liveness.report().alive,
  });
  const observer = combineObservers([
    ...(metrics ? [metrics.deliveries] : []),
    ...(isTracing() ? [tracedDeliveries] : []),
  ]);
  const dispatcher = new Dispatcher(lanes, queues, logger, observer);
  const secrets = new SecretStore(keys.ring);
  const worker = config.ROLES.includes('worker')
    ? startWorker({ config, store, secrets, queues, lanes, dispatcher, targetOf, logger, observer })
    : null;
  const jobs = new CertificateJobs(queues, logger);
  const services = { db: store.db, secrets, dispatcher, recorder: new EventRecorder() };
  const registry = new ManagedCertificates(services, config);
  const certificates = config.ROLES.includes('worker')
    ? startCertificateWorker({
        config,
        store,
        queues,
        jobs,
        registry,
        logger,
        liveness: worker?.liveness,
      })
    : null;
  const maintenance = new Maintenance(new MaintenanceTaskStore(store.db), logger, worker?.liveness);
  if (worker) maintenance.start(idempotencyPruning(store.db, logger));
  const running = { worker, certificates, maintenance, dispatcher, jobs, stopTracing };
  try {
    const module = config.ROLES.includes('api')
      ? ApiModule.with({ config, db: store.db, secrets, lanes, dispatcher, jobs, observer })
      : WorkerModule;
    const health = healthOf(opened, worker);
    const app = await createApi(
      module,
      {
        config,
        logger,
        db: store.db,
        keyRing: keys.ring,
        health,
        observer: metrics?.requests ?? null,
      },
      {
        async extend(server) {
          const { METRICS_TOKEN: token } = config;
          if (metrics && token !== undefined) addMetricsRoute(server, metrics, token, logger);
          if (config.ROLES.includes('api')) await addDashboard(server, opened);
        },
      },
    );
    await app.listen(config.PORT, config.HOST);
    const url = urlOf(app, config);
    const reports = new CertificateReports(registry, jobs);
    const parts = { ...services, config, logger, certificates: reports, baseUrl: config.PUBLIC_URL ?? url };
    const dataPlane = config.ROLES.includes('api')
      ? await startDataPlane(parts).catch(async (error: unknown) => {
          await app.close();
          throw error;
        })
      : null;
    const endWatch = fail ? startWatchdog(() => health.stalled(), fail) : () => {};
    return {
      url,
      dataPlaneUrl: dataPlane?.url ?? null,
      stop() {
        endWatch();
        return stopAll(opened, app, { ...running, dataPlane });
      },
      flushTraces: stopTracing,
    };
  } catch (error) {
    await stopWorkers(opened, running);
    await dispatched(running);
    throw error;
  }
}

function addDashboard(
  server: Parameters<typeof registerDashboard>[0],
  { config, logger, store, keys, queues }: Opened,
): Promise<void> {
  const authenticator = new Authenticator(new TokenStore(store.db));
  return registerDashboard(server, { queues, authenticator, keyRing: keys.ring, config, logger });
}

function healthOf({ store, queues }: Opened, worker: DeliveryWorker | null): Health {
  return {
    stalled: () => worker?.liveness.report().detail ?? null,
    stores: {
      database: () => sql`select 1`.execute(store.db),
      queues: () => queues.queue('data_stream').getWaitingCount(),
    },
  };
}

function urlOf(app: NestFastifyApplication, config: Config): string {
  const address = app.getHttpServer().address();
  const port = typeof address === 'object' && address !== null ? address.port : config.PORT;
  const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST;
  return `http://${host === '0.0.0.0' ? 'localhost' : host}:${port}`;
}

/**
 * Requests and batches end side by side: each has the whole deadline, and after both the process is ended. What the last
 * requests dispatch is left to other workers, or to the next start. Then what they stood on: queues, stores.
 */
async function stopAll(
  opened: Opened,
  app: NestFastifyApplication,
  running: Running & { readonly dataPlane: DataPlane | null },
): Promise<void> {
  try {
    await Promise.all([app.close(), running.dataPlane?.stop(), stopWorkers(opened, running)]);
    await dispatched(running);
    await opened.queues.close();
    await opened.keys.close();
    await opened.store.close();
  } finally {
    // Also when something did not close: what the spans tell is wanted most then.
    await running.stopTracing();
  }
}

async function stopWorkers({ config }: Opened, running: Running): Promise<void> {
  const { worker, certificates, maintenance } = running;
  await Promise.all([worker?.stop(config.SHUTDOWN_DEADLINE_MS), certificates?.stop(), maintenance.stop()]);
}

async function dispatched({ dispatcher, jobs }: Running): Promise<void> {
  await Promise.all([dispatcher.idle(), jobs.idle()]);
}
