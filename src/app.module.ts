import { Module, type DynamicModule } from '@nestjs/common';
import { BootstrapModule } from './accounts/bootstrap.module.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { ConsoleModule } from './console/console.module.js';
import { DashboardModule } from './dashboard/dashboard.module.js';
import { DataPlaneModule } from './data-plane/data-plane.module.js';
import { SamlModule } from './data-plane/saml/saml.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DeliveryWorkerModule } from './delivery/worker.module.js';
import { BackfillsModule } from './destinations/backfills/backfills.module.js';
import { DestinationsModule } from './destinations/destinations.module.js';
import { healthReports } from './destinations/health/health-reports.js';
import { EpochMarkerModule } from './events/epoch-marker.module.js';
import { EventsApiModule } from './events/events-api.module.js';
import { publishedResourcePruning } from './events/publishing/published-resource-pruning.js';
import { ExportsModule } from './exports/exports.module.js';
import { exportCleaning, exportWriting } from './exports/work/export-tasks.js';
import { HttpModule } from './http/http.module.js';
import { idempotencyPruning } from './http/idempotency/idempotency-pruning.js';
import type { Lifecycle } from './lifecycle/lifecycle.js';
import type { Logger } from './logging/logger.js';
import { ObservabilityModule } from './observability/observability.module.js';
import { eventCatalogue } from './resources/event-types.js';
import { CertificateWorkerModule } from './resources/managed-certificates/certificate-worker.module.js';
import { ResourceHistoriesModule } from './resources/resource-histories.module.js';
import { ResourceReferencesModule } from './resources/resource-references.module.js';
import { ResourcesModule } from './resources/resources.module.js';
import { SnapshotsModule } from './resources/snapshots/snapshots.module.js';

const apiModules = [
  BootstrapModule,
  ResourcesModule,
  DestinationsModule,
  BackfillsModule,
  ResourceHistoriesModule,
  ResourceReferencesModule,
  SnapshotsModule,
  EventsApiModule.with(eventCatalogue),
  ExportsModule.with(eventCatalogue),
  DashboardModule,
  ConsoleModule,
  DataPlaneModule,
  SamlModule,
];

function workerModules(config: Config) {
  const exportTasks = [exportWriting(config), exportCleaning(config)];
  return [
    EpochMarkerModule,
    DeliveryWorkerModule.with([idempotencyPruning, publishedResourcePruning, healthReports, ...exportTasks]),
    CertificateWorkerModule,
  ];
}

/** The root of the graph, for the service, its tests, the benchmarks and the OpenAPI document. */
@Module({})
export class AppModule {
  /** Returns the graph of the roles in ROLES. A process without the role `api` serves its health and metrics only. */
  static forRoles(config: Config, logger: Logger, lifecycle: Lifecycle): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(config, logger, lifecycle),
        DatabaseModule,
        ObservabilityModule,
        HttpModule,
        ...(config.ROLES.includes('api') ? apiModules : []),
        ...(config.ROLES.includes('worker') ? workerModules(config) : []),
      ],
    };
  }
}
