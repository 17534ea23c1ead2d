import { Global, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { CONFIG, type Config } from '../config/config.js';
import { DATABASE, type Database } from '../database/database.js';
import { checkWritable } from '../database/writable.js';
import { TargetClients, type ClientReport } from '../delivery/attempts/target-clients.js';
import { DELIVERY_OBSERVER } from '../delivery/delivery-observer.js';
import { LivenessModule } from '../delivery/liveness.module.js';
import { QUEUES, type Queues } from '../delivery/queues/queues.js';
import { QueuesModule } from '../delivery/queues/queues.module.js';
import { WORKER_LIVENESS, type Liveness } from '../health/liveness.js';
import { HEALTH, type Health } from '../http/health/health.js';
import { REQUEST_OBSERVER } from '../http/request/request-observer.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { isTracing } from '../tracing/span.js';
import { FLUSH_TRACES, startTracing } from '../tracing/start-tracing.js';
import { combineObservers } from './combine-observers.js';
import { InstallationStateStore } from './installation-state-store.js';
import { LaneTotalsStore } from './lane-totals-store.js';
import { AllLaneTotals } from './lane-totals.js';
import { addMetricsRoute } from './metrics-route.js';
import type { Metrics } from './metrics.js';
import { openMetrics } from './open-metrics.js';
import { tracedDeliveries } from './traced-deliveries.js';

const METRICS = Symbol('Metrics');

/** Metrics, traces and health. Global: the layers below inject the observers by tokens of their own. */
@Global()
@Module({
  imports: [QueuesModule, LivenessModule],
  providers: [
    {
      provide: FLUSH_TRACES,
      inject: [CONFIG, LOGGER, Lifecycle],
      useFactory: (config: Config, logger: Logger, lifecycle: Lifecycle) =>
        lifecycle.open(
          'traces',
          () => startTracing(config, logger),
          (flush) => flush(),
        ),
    },
    {
      provide: METRICS,
      inject: [CONFIG, DATABASE, QUEUES, WORKER_LIVENESS, TargetClients],
      useFactory: (config: Config, db: Database, queues: Queues, liveness: Liveness | null, clients: TargetClients) => {
        const totals = new LaneTotalsStore(db);
        return openMetrics(config, {
          queues,
          lanes: new AllLaneTotals((after) => totals.page(after)),
          installation: new InstallationStateStore(db),
          workerIsAlive: () => liveness && liveness.report().alive,
          clients: () => clients.report(),
        });
      },
    },
    {
      provide: REQUEST_OBSERVER,
      inject: [METRICS],
      useFactory: (metrics: Metrics | null) => metrics?.requests ?? null,
    },
    {
      provide: DELIVERY_OBSERVER,
      // isTracing() is true once startTracing() has registered an SDK.
      inject: [METRICS, FLUSH_TRACES],
      useFactory: (metrics: Metrics | null) =>
        combineObservers([...(metrics ? [metrics.deliveries] : []), ...(isTracing() ? [tracedDeliveries] : [])]),
    },
    {
      provide: HEALTH,
      inject: [DATABASE, QUEUES, WORKER_LIVENESS, Lifecycle, TargetClients],
      useFactory: (
        db: Database,
        queues: Queues,
        liveness: Liveness | null,
        lifecycle: Lifecycle,
        clients: TargetClients,
      ): Health => ({
        stallReason: () => liveness?.report().detail ?? null,
        clientsNotLoaded: () => notLoaded(clients.report()),
        stopping: () => lifecycle.closing,
        stores: {
          database: () => checkWritable(db),
          // Any queue: all of them share one connection.
          queues: () => queues.queue('data_stream').getWaitingCount(),
        },
      }),
    },
  ],
  exports: [REQUEST_OBSERVER, DELIVERY_OBSERVER, HEALTH, LivenessModule],
})
export class ObservabilityModule implements OnModuleInit {
  constructor(
    @Inject(HttpAdapterHost) private readonly http: HttpAdapterHost,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) private readonly metrics: Metrics | null,
  ) {}

  onModuleInit(): void {
    const { METRICS_TOKEN: token } = this.config;
    if (!this.metrics || token === undefined) return;
    const fastify: FastifyInstance = this.http.httpAdapter.getInstance();
    addMetricsRoute(fastify, this.metrics, token, this.logger);
  }
}

function notLoaded(clients: readonly ClientReport[]): Record<string, 'loading' | 'failed'> {
  return Object.fromEntries(clients.flatMap(({ kind, state }) => (state === 'loaded' ? [] : [[kind, state]])));
}
