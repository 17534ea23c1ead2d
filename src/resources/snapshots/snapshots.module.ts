import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { Lifecycle } from '../../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../../logging/logger.js';
import { maintainWhileListening } from '../../maintenance/maintain-while-listening.js';
import { families } from '../families.js';
import {
  RESOURCE_SERVICES,
  serviceToken,
  type ResourceService,
  type ResourceServices,
} from '../framework/service/resource-service.js';
import { ResourceServicesModule } from '../framework/service/resource-services.module.js';
import { ResourcesModule } from '../resources.module.js';
import { SnapshotWalker } from './snapshot-walker.js';

/** Interval between looks for snapshots, in milliseconds: the most that a snapshot begins late. */
const INTERVAL_MS = 1_000;

const DAY_MS = 86_400_000;

/** The walker of snapshots, in each api process: it needs the services of the families. */
@Module({
  imports: [ResourcesModule, ResourceServicesModule],
  providers: [
    {
      provide: SnapshotWalker,
      inject: [CONFIG, LOGGER, RESOURCE_SERVICES, ...families.map(({ definition }) => serviceToken(definition))],
      useFactory: (
        config: Config,
        logger: Logger,
        { db, recorder, dispatcher }: ResourceServices,
        ...services: readonly ResourceService[]
      ) =>
        new SnapshotWalker({
          db,
          recorder,
          dispatcher,
          logger,
          keptMs: config.RETENTION_DELIVERED_DAYS * DAY_MS,
          services: new Map(services.map((service) => [service.definition.name, service])),
        }),
    },
  ],
})
export class SnapshotsModule implements OnModuleInit {
  constructor(
    @Inject(Lifecycle) private readonly lifecycle: Lifecycle,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(RESOURCE_SERVICES) private readonly services: ResourceServices,
    @Inject(SnapshotWalker) private readonly walker: SnapshotWalker,
  ) {}

  onModuleInit(): void {
    maintainWhileListening(
      this.lifecycle,
      { db: this.services.db, logger: this.logger },
      { name: 'snapshots', intervalMs: INTERVAL_MS, run: (control) => this.walker.walk(control) },
    );
  }
}
