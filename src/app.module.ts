import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { accountProviders } from './accounts/accounts.providers.js';
import type { Config } from './config/config.js';
import { processProviders } from './config/config.providers.js';
import { CONSOLE_ROUTES, consoleControllers, consoleProviders } from './console/console.providers.js';
import { DASHBOARD_ROUTES, dashboardProviders } from './dashboard/dashboard.providers.js';
import { ConfigurationReader } from './data-plane/configuration/configuration-reader.js';
import { DataPlane } from './data-plane/data-plane.js';
import { dataPlaneProviders, SAML_ROUTES } from './data-plane/data-plane.providers.js';
import { TunnelSessions } from './data-plane/tunnel-sessions.js';
import { databaseProviders } from './database/database.providers.js';
import { deliveryProviders } from './delivery/delivery.providers.js';
import { DeliveryWorker } from './delivery/worker.js';
import { deliveryTasks, workerProviders } from './delivery/worker.providers.js';
import { BackfillFeeder } from './destinations/backfills/backfill-feeder.js';
import { destinationControllers, destinationProviders } from './destinations/destinations.providers.js';
import { EndedWorkPruning } from './destinations/ended-work-pruning.js';
import { HealthReports } from './destinations/health/health-reports.js';
import { RecoveryRunner } from './destinations/recoveries/recovery-runner.js';
import { ErasureRunner } from './erasures/erasure-runner.js';
import { erasureControllers, erasureProviders } from './erasures/erasures.providers.js';
import { eventControllers, eventProviders, PUBLISHED_RESOURCE_PRUNING } from './events/events.providers.js';
import { Pruner } from './events/retention/pruner.js';
import { exportControllers, exportProviders, SMALL_EXPORT_RUNNER } from './exports/exports.providers.js';
import { ExportCleanup } from './exports/work/export-cleanup.js';
import { ExportRunner } from './exports/work/export-runner.js';
import { httpControllers, httpProviders, IDEMPOTENCY_PRUNING } from './http/http.providers.js';
import { ADDED_ROUTES, type AddRoutes } from './http/server/added-routes.js';
import { RUNNERS, type Lifecycle, type Runner } from './lifecycle/lifecycle.js';
import { provide, type Key } from './lifecycle/provide.js';
import type { Logger } from './logging/logger.js';
import { Maintenance, MAINTENANCE_TASKS, type MaintenanceTask } from './maintenance/maintenance.js';
import { maintenanceProviders } from './maintenance/maintenance.providers.js';
import { METRICS_ROUTE, observabilityProviders } from './observability/observability.providers.js';
import { Cosigning } from './proof/cosigning.js';
import { LogSealer } from './proof/log-sealer.js';
import { proofControllers, proofProviders } from './proof/proof.providers.js';
import { CertificateChecks } from './resources/managed-certificates/certificate-checks.js';
import { familyControllers, resourceProviders } from './resources/resources.providers.js';
import { SnapshotWalker } from './resources/snapshots/snapshot-walker.js';
import { secretsProviders } from './secrets/secrets.providers.js';

/** What a process does in a role. */
interface Role {
  readonly controllers: readonly Type[];
  readonly routes: readonly Key<AddRoutes>[];
  readonly runners: readonly Key<Runner>[];
  readonly tasks: readonly Key<MaintenanceTask>[];
}

const api: Role = {
  controllers: [
    ...familyControllers,
    ...destinationControllers,
    ...eventControllers,
    ...exportControllers,
    ...proofControllers,
    ...erasureControllers,
    ...consoleControllers,
  ],
  routes: [DASHBOARD_ROUTES, CONSOLE_ROUTES, SAML_ROUTES],
  runners: [DataPlane],
  tasks: [SnapshotWalker, BackfillFeeder, RecoveryRunner, TunnelSessions, ConfigurationReader],
};

const worker: Role = {
  controllers: [],
  routes: [],
  runners: [DeliveryWorker],
  tasks: [
    ...deliveryTasks,
    Pruner,
    EndedWorkPruning,
    HealthReports,
    CertificateChecks,
    ExportRunner,
    SMALL_EXPORT_RUNNER,
    ExportCleanup,
    LogSealer,
    ErasureRunner,
    Cosigning,
    IDEMPOTENCY_PRUNING,
    PUBLISHED_RESOURCE_PRUNING,
  ],
};

/** The root of the graph, for the service, its tests, the benchmarks and the OpenAPI document. */
@Module({})
export class AppModule {
  /**
   * Returns the graph of a process. It has every part; the roles in ROLES decide which routes it serves and what it
   * runs. A process without the role `api` serves its health and metrics only.
   */
  static forRoles(config: Config, logger: Logger, lifecycle: Lifecycle): DynamicModule {
    // In this order: the port of the data plane opens before a worker takes jobs.
    const roles = [
      ...(config.ROLES.includes('api') ? [api] : []),
      ...(config.ROLES.includes('worker') ? [worker] : []),
    ];
    return {
      module: AppModule,
      controllers: [...httpControllers, ...roles.flatMap(({ controllers }) => controllers)],
      providers: [
        ...processProviders(config, logger, lifecycle),
        ...databaseProviders,
        ...secretsProviders,
        ...accountProviders,
        ...maintenanceProviders,
        ...observabilityProviders,
        ...httpProviders,
        ...deliveryProviders,
        ...workerProviders,
        ...eventProviders,
        ...resourceProviders,
        ...destinationProviders,
        ...exportProviders,
        ...proofProviders,
        ...erasureProviders,
        ...consoleProviders,
        ...dashboardProviders,
        ...dataPlaneProviders,
        provide(ADDED_ROUTES, [METRICS_ROUTE, ...roles.flatMap(({ routes }) => routes)], (...routes) => routes),
        provide(RUNNERS, [...roles.flatMap(({ runners }) => runners), Maintenance], (...runners) => runners),
        provide(
          MAINTENANCE_TASKS,
          roles.flatMap(({ tasks }) => tasks),
          (...tasks) => tasks,
        ),
      ],
    };
  }
}
