import { CONFIG } from '../config/config.js';
import { checkWritable } from '../database/connections/writable.js';
import { DATABASE } from '../database/database.js';
import { TargetClients, type ClientReport } from '../delivery/attempts/target-clients.js';
import { DELIVERY_OBSERVER, unobserved } from '../delivery/delivery-observer.js';
import { QUEUES } from '../delivery/queues/queues.js';
import { WORKER_LIVENESS } from '../health/liveness.js';
import { HEALTH } from '../http/health/health.js';
import { REQUEST_OBSERVER } from '../http/request/request-observer.js';
import type { AddRoutes } from '../http/server/added-routes.js';
import { Lifecycle, opened } from '../lifecycle/lifecycle.js';
import { provide, tokenOf } from '../lifecycle/provide.js';
import { LOGGER } from '../logging/logger.js';
import { LogStore } from '../proof/log-store.js';
import { isTracing } from '../tracing/span.js';
import { FLUSH_TRACES, startTracing } from '../tracing/start-tracing.js';
import { InstallationStateStore } from './installation-state-store.js';
import { LaneTotalsStore } from './lane-totals-store.js';
import { AllLaneTotals } from './lane-totals.js';
import { addMetricsRoute } from './metrics-route.js';
import type { Metrics } from './metrics.js';
import { openMetrics } from './open-metrics.js';
import { tracedDeliveries } from './traced-deliveries.js';

const METRICS = tokenOf<Metrics | null>('Metrics');

/** The injection token of what adds `GET /metrics`. */
export const METRICS_ROUTE = tokenOf<AddRoutes>('MetricsRoute');

/** Metrics, traces and health. */
export const observabilityProviders = [
  opened('traces', provide(FLUSH_TRACES, [CONFIG, LOGGER], startTracing), (flush) => flush()),
  provide(LaneTotalsStore, [DATABASE]),
  provide(AllLaneTotals, [LaneTotalsStore], (totals) => new AllLaneTotals((after) => totals.page(after))),
  provide(InstallationStateStore, [DATABASE]),
  provide(
    METRICS,
    {
      config: CONFIG,
      queues: QUEUES,
      lanes: AllLaneTotals,
      installation: InstallationStateStore,
      logs: LogStore,
      liveness: WORKER_LIVENESS,
      clients: TargetClients,
    },
    ({ config, liveness, clients, ...parts }) =>
      openMetrics(config, {
        ...parts,
        workerIsAlive: () => liveness && liveness.stallReason() === null,
        clients: () => clients.report(),
      }),
  ),
  provide(REQUEST_OBSERVER, [METRICS], (metrics) => metrics?.requests ?? null),
  // isTracing() is true once startTracing() has registered an SDK.
  provide(DELIVERY_OBSERVER, [METRICS, FLUSH_TRACES], (metrics) => {
    const observer = metrics?.deliveries ?? unobserved;
    return isTracing() ? tracedDeliveries(observer) : observer;
  }),
  provide(METRICS_ROUTE, [METRICS, CONFIG, LOGGER], (metrics, { METRICS_TOKEN: key }, logger) => (server) => {
    if (metrics && key !== undefined) addMetricsRoute(server, metrics, key, logger);
  }),
  provide(
    HEALTH,
    {
      config: CONFIG,
      db: DATABASE,
      queues: QUEUES,
      liveness: WORKER_LIVENESS,
      lifecycle: Lifecycle,
      clients: TargetClients,
    },
    ({ config, db, queues, liveness, lifecycle, clients }) => ({
      stallReason: () => liveness?.stallReason() ?? null,
      clientsNotLoaded: () => notLoaded(clients.report()),
      stopping: () => lifecycle.closing,
      stores: {
        database: () => checkWritable(db),
        // An api serves requests without Redis: a load balancer must not take it out.
        ...((queues.backend === 'postgres' || !config.ROLES.includes('api')) && {
          // Any queue: all of them share one connection.
          queues: () => queues.queue('data_stream').getWaitingCount(),
        }),
      },
    }),
  ),
];

function notLoaded(clients: readonly ClientReport[]): Record<string, 'loading' | 'failed'> {
  return Object.fromEntries(clients.flatMap(({ kind, state }) => (state === 'loaded' ? [] : [[kind, state]])));
}
